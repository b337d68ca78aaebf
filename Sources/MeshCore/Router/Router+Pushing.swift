/// Posts that go to all nodes of a crowded segment in one datagram by multicast, instead of by the tree.
///
/// Source: PROTOCOL §5 pushes.
extension Router {
    /// The link that stands for all pushes when envelopes are forwarded.
    static let pushLink = LinkID(0)
    /// The node that stands for the senders of all pushes, which prove no node id.
    static let pushNode = NodeID(0)

    /// Sets the segments of this node, and whether each is so crowded that posts are pushed.
    ///
    /// A push is not sealed, so that a closed mesh has none.
    package mutating func setSegments(_ present: [InterfaceID: Bool], now: MeshInstant) {
        crowdedSegments = Set(present.filter(\.value).keys)
        let before = summary
        store.setCrowded(!crowdedSegments.isEmpty, now: now)
        noteStoreChange(since: before, now: now)
        pushes.setSegments(cryptography.beaconKey == nil ? present : [:])
    }

    /// Sets the segment of a link's other end; nil if none of the own segments has it.
    package mutating func setSegment(_ segment: InterfaceID?, of link: LinkID) {
        if let index = index(of: link) { links[index].segment = segment }
    }

    /// Notes that a multicast of another node came on a segment.
    package mutating func noteMulticast(on segment: InterfaceID, now: MeshInstant) {
        pushes.noteMulticast(on: segment, now: now)
    }

    /// Returns whether envelopes of a kind are pushed, while they are fresh.
    private func isPushed(_ rule: KindRule) -> Bool { !rule.isCostly && rule.lane(arrived: .interactive).isFresh }

    // MARK: - Sending

    /// Plans the pushes of an envelope; returns the segments all nodes of which get it so or have it.
    mutating func push(_ forwarded: ForwardedEnvelope, now: MeshInstant) -> Set<InterfaceID> {
        guard !forwarded.isCostly, forwarded.lane.isFresh, !forwarded.isProbe || now >= probePushesResume else {
            return []
        }
        let isOwn = forwarded.holders.isEmpty
        if isOwn { pushes.forget(forwarded.shortID) }
        let segments = pushes.numbers.filter { segment in
            guard !pushes.covers(forwarded.shortID, on: segment) else { return true }
            // Anybody can make up beacons, but not so easily links.
            guard links.count(where: { $0.segment == segment }) >= configuration.pushLinkCount else { return false }
            let delay = pushDelay(isOwn: isOwn)
            return pushes.plan(forwarded.shortID, forwarded.message, on: segment, after: delay, now: now)
        }
        return Set(segments)
    }

    /// Returns the time for which a push waits to be heard from others; nil if it goes whoever else pushes it.
    private mutating func pushDelay(isOwn: Bool) -> Duration? {
        if isOwn { return pushesThroughNeighbors ? configuration.neighborPushPatience : nil }
        return configuration.multicastDelay * Double.random(in: 0...1, using: &random)
    }

    /// Returns the links that a pushed envelope still goes on, and those on which it is still announced.
    ///
    /// This node's own envelope also goes to one neighbour: the acknowledgement shows that another node has it. If
    /// neighbours push in this node's place, it goes to some of each segment. Every envelope is announced to one random
    /// neighbour of each segment, in case that neighbour heard no push.
    mutating func besidePushes(
        _ forwarded: ForwardedEnvelope,
        on pushed: Set<InterfaceID>
    ) -> (sent: Set<Int>, announced: Set<Int>) {
        guard !pushed.isEmpty else { return ([], []) }
        let isOwn = submissions.contains(forwarded.shortID)
        // Nobody keeps a probe, so that it is useless to announce it.
        guard !forwarded.isProbe || isOwn && pushesThroughNeighbors else { return ([], []) }
        var (sent, announced): (Set<Int>, Set<Int>) = ([], [])
        for segment in pushed.sorted() {
            let there = links.indices.filter { links[$0].segment == segment }
            guard !there.isEmpty else { continue }
            // An announcement that waits takes this one along.
            let waiting = there.first { !links[$0].announcements.isEmpty }
            if !forwarded.isProbe { announced.insert(waiting ?? there[Int(random.next() % UInt64(there.count))]) }
            if isOwn, pushesThroughNeighbors { sent.formUnion(first(configuration.neighborPushCount, of: there)) }
        }
        if isOwn, !pushesThroughNeighbors {
            sent = Set(first(1, of: links.indices.filter { links[$0].segment.map(pushed.contains) == true }))
        }
        return (sent, announced)
    }

    /// Returns some of these links, eager ones if there are enough.
    private func first(_ count: Int, of indices: [Int]) -> ArraySlice<Int> {
        (indices.filter { links[$0].isEager } + indices.filter { !links[$0].isEager }).prefix(count)
    }

    /// Sends the pushes that are due.
    mutating func sendPushes(now: MeshInstant, into effects: inout [RouterEffect]) {
        for push in pushes.takeDue(now: now) {
            countPush(now: now)
            if submissions.contains(push.shortID) { transmitted(push.shortID, into: &effects) }
            effects.append(.push(push.message, on: push.segment))
        }
    }

    /// Counts a push that was sent or heard towards the load by which a mesh is busy.
    private mutating func countPush(now: MeshInstant) {
        let (whole, count) = (configuration.busyPostByteCount, configuration.busyPushCount)
        posts.add(byteCount: (whole + count - 1) / count, now: now)
    }

    // MARK: - Hearing

    /// Handles a push that was heard on a segment.
    ///
    /// It is checked like an envelope that a link brings. All neighbours on the segment are believed to have it.
    package mutating func receivePush(
        _ message: [UInt8],
        from pusher: Trail.Pusher,
        on segment: InterfaceID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        guard pushes.hear(byteCount: message.count, on: segment, now: now) else {
            return effects.append(.dropped(.limited))
        }
        countPush(now: now)
        guard var envelope = Envelope(decoding: message[...]), let rule = configuration.kinds.rule(for: envelope),
            isPushed(rule)
        else { return effects.append(.dropped(.malformedMessage)) }
        guard envelope.life > 0 else { return effects.append(.dropped(.expired)) }
        envelope.life = rule.hasFullLifeWhenFresh ? rule.longestLife : min(envelope.life, rule.longestLife)
        let id = envelopeID(kind: envelope.kind, body: envelope.body)
        // A copy with less life than another keeps nobody from pushing that one.
        let deadline = StoragePolicy.deadline(life: envelope.life, now: now)
        let enough = deadline.advanced(by: configuration.shorterLife)
        if store[id.shortID].map({ $0.deadline <= enough }) ?? true { pushes.noteHeard(id.shortID, on: segment) }
        guard store.takeUnspread(id.shortID) || store.wants(id.shortID) else {
            refreshByPush(id.shortID, life: envelope.life, rule, now: now, over: &sender)
            return effects.append(.dropped(.duplicate))
        }
        let asked = wanted[id.shortID]?.asked?.holder
        _ = wanted.settle(id.shortID)
        if let asked { noteSettled(id.shortID, of: asked, now: now, over: &sender) }
        let arrival = Arrival(envelope: envelope, rule: rule, id: id, pusher: pusher)
        if envelope.kind == .probe {
            if !probes.serves(Self.pushLink) { probes.add(Self.pushLink, now: now) }
            return receiveProbe(arrival, from: Self.pushLink, now: now, over: &sender, into: &effects)
        }
        guard take(arrival, from: Self.pushNode, now: now, into: &effects) else { return }
        noteForGateway(arrival, from: Self.pushLink, into: &effects)
        noteTrail(of: arrival, from: Self.pushLink, into: &effects)
        if !relay.serves(Self.pushLink) { relay.add(Self.pushLink, now: now) }
        relay(arrival, holders: [Self.pushLink], now: now, over: &sender, into: &effects)
    }

    /// Takes from a push of a known envelope that it is fresh, or its life.
    private mutating func refreshByPush(
        _ shortID: UInt64,
        life: UInt16,
        _ rule: KindRule,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        guard let entry = store[shortID] else { return }
        if !rule.hasFullLifeWhenFresh { store.raise(shortID, life: life, now: now) }
        guard entry.isOld, entry.origin != Self.pushNode, store.refresh(shortID, now: now) else { return }
        for index in links.indices { announce(shortID, lane: .interactive, at: index, now: now, over: &sender) }
    }
}
