import Bytes

/// The relay of payloads between two ends, hop by hop, along the labels that a probe and its answer left on their way.
///
/// The mesh has no addresses. A post leaves a trail: every node remembers the link on which it first arrived, under its
/// short id. Its recipient answers to that label under a label of its own, and on the way back every node remembers
/// that one too. Only the ends know the content of the payloads and the owners of the labels.
/// Invariant: `links` is sorted by id. Source: PROTOCOL §5.1.
package struct PathRelay: Sendable {
    /// The state of one link.
    private struct Neighbour: Sendable {
        let link: LinkID
        var control: TokenBucket
        var live: TokenBucket
    }

    private let configuration: PathConfiguration
    private(set) var table: PathTable
    private(set) var queues: PathQueues
    /// The trails of pushes, which begin with no link.
    var pushTrails = PushTrails()
    private var neighbours: [Neighbour] = []
    /// The labels for which a payload of this node was refused.
    private var refused: Set<PathLabel> = []
    /// The number of labels in use that became unreachable.
    package private(set) var lostCount = 0

    /// Creates a relay without links and labels.
    package init(configuration: PathConfiguration) {
        self.configuration = configuration
        table = PathTable(configuration: configuration)
        queues = PathQueues(configuration: configuration)
    }

    /// The number of paths that pass through this node or end at it.
    package var openCount: Int { table.openCount }

    /// Whether a path of this node is open or being searched for.
    package var hasOwn: Bool { table.ownPathCount > 0 }

    /// The time at which `tick` has something to do.
    package var nextDeadline: MeshInstant { min(table.nextExpiry, pushTrails.nextDeadline) }

    // MARK: - Links

    /// Handles a link that came up.
    package mutating func linkUp(_ link: LinkID) {
        guard !neighbours.contains(where: { $0.link == link }) else { return }
        let neighbour = Neighbour(
            link: link,
            control: TokenBucket(rate: configuration.controlRate, burst: configuration.controlBurst),
            live: TokenBucket(rate: configuration.liveRate, burst: configuration.liveBurst)
        )
        let index = neighbours.firstIndex { $0.link > link } ?? neighbours.endIndex
        neighbours.insert(neighbour, at: index)
    }

    /// Handles a link that ended.
    ///
    /// Neighbours and ends that send over it are notified, unless there is a second path.
    package mutating func linkDown(
        _ link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) {
        neighbours.removeAll { $0.link == link }
        queues.remove(link)
        for loss in table.linkDown(link) {
            notify(loss, now: now, over: &sender, into: &effects)
        }
        notifyReady(into: &effects)
    }

    /// Handles a link that refused something and has room again.
    package mutating func writable(
        _ link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) {
        for lane in [Lane.control, .bulk] {
            queues.drain(lane: lane, on: link, now: now, over: &sender)
        }
        notifyReady(into: &effects)
    }

    /// Removes labels that have not been used for long.
    package mutating func tick(now: MeshInstant) {
        table.expire(now: now)
        refused = refused.filter { table.next(to: $0) != nil }
    }

    // MARK: - Trails

    /// Records the link on which a post or a probe first came, or that it is one of this node.
    package mutating func note(_ trail: Trail, now: MeshInstant) {
        let origin = trail.isProbe ? PathTable.Origin.probe : .trail
        switch trail.hop {
        case .here: table.note(trail.label, from: origin, over: .here, now: now)
        case .link(let link):
            guard neighbours.contains(where: { $0.link == link }) else { return }
            table.note(trail.label, from: origin, over: .link(link), now: now)
        case .pusher(let pusher): pushTrails.note(trail.label, of: pusher, now: now)
        }
    }

    /// Forgets a label of this node.
    mutating func forgetOwn(_ label: PathLabel) { table.forgetOwn(label) }

    /// Returns the node that pushed the post to whose trail a payload of this node goes, while no link leads there.
    func pusher(of label: PathLabel, now: MeshInstant) -> Trail.Pusher? {
        table.next(to: label) == nil ? pushTrails.pusher(of: label, now: now) : nil
    }

    // MARK: - Payloads

    /// Sends a payload of this node.
    ///
    /// The first payload to a label may contain an own label, which makes it an answer.
    ///
    /// - Returns: Whether it has left, or waits for its turn.
    @discardableResult
    package mutating func send(
        _ message: PathMessage,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) -> Bool {
        precondition(message.isWellFormed, "a payload of \(message.payload.count) bytes fits no path")
        guard case .link(let link) = table.use(message.to, by: .here, now: now) else {
            effects.append(.lost(message.to))
            return false
        }
        if message.isLive {
            sendLive(PathFrame.routed(message).encoded(), on: link, now: now, over: &sender, into: &effects)
            return true
        }
        if let own = message.from {
            table.note(own, from: message.isEnvelope ? .carriedAnswer : .answer, over: .here, now: now)
        }
        let lane = message.asksForControl ? Lane.control : .bulk
        let bytes = PathFrame.routed(message).encoded()
        if queues.isEmpty(lane: lane, on: link), sender.send(bytes, lane: lane, tag: 0, on: link, now: now) {
            return true
        }
        guard queues.hasCapacity(for: bytes.count, of: message.to, lane: lane, on: link) else {
            refused.insert(message.to)
            effects.append(.refused(message.to))
            return false
        }
        _ = queues.append(bytes, of: message.to, lane: lane, on: link)
        return true
    }

    /// Handles a message from a link.
    package mutating func receive(
        _ bytes: [UInt8],
        from link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) {
        if let header = PathHeader(of: bytes), !header.isLive {
            return pass(bytes, header, from: link, now: now, over: &sender, into: &effects)
        }
        switch PathFrame(decoding: bytes) {
        case .routeLost(let label):
            guard let loss = table.lose(label, over: link) else { return }
            queues.remove(label, on: link)
            notify(loss, now: now, over: &sender, into: &effects)
            notifyReady(into: &effects)
        case .routed, nil: effects.append(.dropped(.malformedMessage))
        }
    }

    /// Handles a live datagram from a link.
    ///
    /// A datagram that cannot be forwarded is not answered: the next one would be as late, and there are many.
    package mutating func receiveLive(
        _ bytes: [UInt8],
        from link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) {
        guard let header = PathHeader(of: bytes), header.isLive else {
            return effects.append(.dropped(.malformedMessage))
        }
        guard let index = neighbours.firstIndex(where: { $0.link == link }) else { return }
        guard neighbours[index].live.take(now: now) else { return effects.append(.dropped(.limited)) }
        switch nextHop(of: header, from: link, now: now, into: &effects) {
        case .here: effects.append(.received(header.message(in: bytes, hops: header.hops + 1), over: link))
        case .link(let next): sendLive(header.raisingHops(of: bytes), on: next, now: now, over: &sender, into: &effects)
        case nil: break
        }
    }

    private func sendLive(
        _ bytes: [UInt8],
        on link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) {
        guard !sender.sendLive(bytes, on: link, now: now) else { return }
        effects.append(.dropped(.liveExpired))
    }

    /// Returns the next hop of a message from a link; returns nil, and counts a drop, if there is none.
    private mutating func nextHop(
        of header: PathHeader,
        from link: LinkID,
        now: MeshInstant,
        into effects: inout [PathEffect]
    ) -> PathHop? {
        guard header.hops < .max - 1 else {
            effects.append(.dropped(.expired))
            return nil
        }
        guard let hop = table.use(header.to, by: .link(link), now: now) else {
            effects.append(.dropped(.noRoute))
            return nil
        }
        return hop
    }

    /// Forwards a payload unchanged except for its hops, or delivers it to the end at this node.
    private mutating func pass(
        _ bytes: [UInt8],
        _ header: PathHeader,
        from link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) {
        guard let index = neighbours.firstIndex(where: { $0.link == link }) else { return }
        guard let hop = nextHop(of: header, from: link, now: now, into: &effects) else {
            if effects.last == .dropped(.noRoute) { sendLost(header.to, on: link, now: now, over: &sender) }
            return
        }
        if let own = header.from {
            table.note(own, from: header.isEnvelope ? .carriedAnswer : .answer, over: .link(link), now: now)
        }
        guard case .link(let next) = hop else {
            return effects.append(.received(header.message(in: bytes, hops: header.hops + 1), over: link))
        }
        // A neighbour that requests priority over bulk for everything gets no more of it than its share.
        let isControl = header.asksForControl && neighbours[index].control.take(now: now)
        let lane = isControl ? Lane.control : .bulk
        let onward = header.raisingHops(of: bytes)
        if queues.isEmpty(lane: lane, on: next), sender.send(onward, lane: lane, tag: 0, on: next, now: now) { return }
        let dropCount = queues.append(onward, of: header.to, lane: lane, on: next)
        for _ in 0..<dropCount { effects.append(.dropped(.pathQueueFull)) }
    }

    private mutating func notify(
        _ loss: PathTable.Loss,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [PathEffect]
    ) {
        guard let user = loss.user else { return }
        lostCount += 1
        switch user {
        case .here:
            refused.remove(loss.label)
            effects.append(.lost(loss.label))
        case .link(let link): sendLost(loss.label, on: link, now: now, over: &sender)
        }
    }

    private func sendLost(
        _ label: PathLabel,
        on link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        // If the lane is full, the next payload to the label causes another message.
        _ = sender.send(PathFrame.routeLost(label).encoded(), lane: .control, tag: 0, on: link, now: now)
    }

    /// Reports the labels for which this node may send again: half of the queue limit of each is free.
    private mutating func notifyReady(into effects: inout [PathEffect]) {
        for label in refused.sorted() {
            guard case .link(let link) = table.next(to: label) else { continue }
            let isReady = [Lane.control, .bulk].allSatisfy {
                queues.hasCapacity(for: configuration.queueByteLimit / 2, of: label, lane: $0, on: link)
            }
            guard isReady else { continue }
            refused.remove(label)
            effects.append(.ready(label))
        }
    }
}

extension PathMessage {
    /// Whether the payload requests priority over bulk, and is short enough for it.
    fileprivate var asksForControl: Bool {
        isEnvelope || !isBulk && payload.count <= Self.maximumControlByteCount
    }
}

extension PathHeader {
    /// Whether the payload requests priority over bulk, and is short enough for it.
    fileprivate var asksForControl: Bool {
        isEnvelope || !isBulk && payloadByteCount <= PathMessage.maximumControlByteCount
    }
}
