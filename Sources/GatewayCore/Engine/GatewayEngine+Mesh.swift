import Bytes
import MeshCore

/// Envelopes from the mesh.
extension GatewayEngine {
    /// Takes an envelope of the mesh.
    mutating func take(_ envelope: Envelope, _ id: EnvelopeID, from link: LinkID?, at time: GatewayTime) {
        switch envelope.kind {
        case .far, .farChunk: publish(envelope, id, from: link, at: time)
        case .watch: watch(envelope, from: link, at: time)
        case .release: release(envelope.body, at: time)
        // One that is not fresh may be this node's own, of an earlier run.
        case .gateway:
            guard link != nil, envelope.life >= GatewayLimits.freshAnnouncementLife else { return }
            others.take(envelope.body, now: time.now)
        default: return
        }
    }

    /// Offers an envelope to the hubs, unless it came from one.
    private mutating func publish(
        _ envelope: Envelope,
        _ id: EnvelopeID,
        from link: LinkID?,
        at time: GatewayTime
    ) {
        guard link == nil || !allowance.isSpent, fetched[id] == nil, let letter = FarLetter(envelope) else { return }
        // The recipient may be in this network, and confirm soon.
        let near: Duration = tags.isWatched(letter.tag) ? GatewayLimits.nearTime : .zero
        for hub in hubs.indices where hubs[hub].isOpen {
            guard hubs[hub].uploads.takes(letter, id, from: link, now: time.now) else { continue }
            let rank = others.rank(for: letter.tag, at: hubHashes[hub], now: time.now)
            let delay = near + GatewayLimits.rankTime * rank
            hubs[hub].uploads.offer(letter, id, from: link, after: delay, looks: rank > 0, now: time.now)
        }
    }

    /// Takes delivery proofs.
    private mutating func release(_ body: [UInt8], at time: GatewayTime) {
        guard GatewayLimits.proofCounts.contains(where: { $0 * MailTag.byteCount == body.count }) else { return }
        for start in stride(from: 0, to: body.count, by: MailTag.byteCount) {
            let hash = hashes.proofHash(Array(body[start..<start + MailTag.byteCount]))
            for hub in hubs.indices { hubs[hub].uploads.release(hash, now: time.now) }
        }
    }

    // MARK: - Watching

    /// Takes a request for the mail of tags: fifteen of them, then a byte that says for how long.
    private mutating func watch(_ envelope: Envelope, from link: LinkID?, at time: GatewayTime) {
        let body = envelope.body
        // The store reports old requests too.
        let left = Duration.seconds(10) * Int(envelope.life) + GatewayLimits.watchGrace
        guard body.count == GatewayLimits.watchByteCount, link == nil || !allowance.isSpent else { return }
        let subscribes = body[GatewayLimits.watchTagCount * MailTag.byteCount].isMultiple(of: 2)
        var subscribed: [MailTag] = []
        for place in 0..<GatewayLimits.watchTagCount {
            let start = place * MailTag.byteCount
            guard let tag = MailTag(bytes: body[start..<start + MailTag.byteCount]) else { continue }
            if watch(tag, for: left, subscribes: subscribes, from: link, at: time) { subscribed.append(tag) }
        }
        // The subscription comes before the question, so that nothing falls between them.
        subscribe(to: subscribed)
        fillUp(at: time)
    }

    /// Puts a tag into the table, and asks for its mail; returns whether it is to be subscribed.
    private mutating func watch(
        _ tag: MailTag,
        for left: Duration,
        subscribes: Bool,
        from link: LinkID?,
        at time: GatewayTime
    ) -> Bool {
        let wasSubscribed = tags.isSubscribed(tag)
        guard let admission = tags.watch(tag, for: left, subscribes: subscribes, from: link, now: time.now) else {
            return false
        }
        for evicted in admission.evicted { forget(evicted, wasSubscribed: true) }
        for hub in hubs.indices where hubs[hub].isOpen {
            hubs[hub].downloads.ask(tag, isSubscribed: tags.isSubscribed(tag), now: time.now)
        }
        return tags.isSubscribed(tag) && !wasSubscribed
    }

    /// Adds random tags, which the hub cannot tell from real ones.
    mutating func fillUp(at time: GatewayTime) {
        let covers = (0..<tags.missingCoverCount).map { _ in MailTag(using: &random) }
        for tag in covers {
            let spread = random.jittered(GatewayLimits.coverSpread, by: 1) - GatewayLimits.coverSpread
            let life = max(GatewayLimits.watchTime, time.restOfDay + spread)
            tags.cover(tag, until: time.now.advanced(by: life))
            for hub in hubs.indices where hubs[hub].isOpen {
                hubs[hub].downloads.ask(tag, isSubscribed: true, now: time.now)
            }
        }
        subscribe(to: covers)
    }

    private mutating func subscribe(to tags: [MailTag]) {
        guard !tags.isEmpty else { return }
        let requests = tags.map { HubRequest.subscribe($0.subject) }
        for hub in hubs.indices where hubs[hub].isOpen { effects.append(.ask(hub, requests)) }
    }

    /// Ends the fetching of a tag.
    mutating func forget(_ tag: MailTag, wasSubscribed: Bool) {
        for hub in hubs.indices {
            hubs[hub].downloads.forget(tag)
            guard wasSubscribed, hubs[hub].isOpen else { continue }
            effects.append(.ask(hub, [.unsubscribe(tag.subject)]))
        }
    }
}
