import Bytes

/// All links and handshakes of one node.
///
/// Links send their queued messages at the end of a turn, with `flush`, so that messages that were queued together
/// share packets.
/// Invariant: there is at most one link per node id, and every connection number belongs to one dial, answer or link.
/// Source: PROTOCOL §3.
package struct LinkTable: Sendable {
    /// The number of links that others may have dialled.
    ///
    /// It does not limit links that this node dialled.
    package var acceptLimit: Int

    /// The node id in handshakes.
    package private(set) var nodeID: NodeID

    let configuration: LinkConfiguration
    let cryptography: any MeshCryptography
    var random: MeshRandom
    var status: LinkStatus?
    var established = LinkList()
    var dials: [Dial] = []
    /// The delay before the next dial repeats its INIT.
    var dialPace: DialPace
    var answers: [Answer] = []
    var bans: Bans
    var cookies: Cookies
    var freeInitiations: TokenBucket
    var initiations: TokenBucket
    var sources: SourceRates
    var provenSources: SourceRates
    private var lastLinkNumber: UInt64 = 0

    /// Creates a table without links.
    package init(
        nodeID: NodeID,
        configuration: LinkConfiguration,
        cryptography: any MeshCryptography,
        random: MeshRandom
    ) {
        self.nodeID = nodeID
        self.configuration = configuration
        self.cryptography = cryptography
        self.random = random
        acceptLimit = configuration.acceptLimit
        dialPace = DialPace(configuration)
        bans = Bans(configuration: configuration)
        cookies = Cookies(lifetime: configuration.cookieLifetime, random: &self.random, now: .zero)
        freeInitiations = TokenBucket(
            rate: configuration.initiationsPerSecondWithoutCookie,
            burst: configuration.initiationsPerSecondWithoutCookie
        )
        initiations = TokenBucket(
            rate: configuration.initiationsPerSecond,
            burst: configuration.initiationsPerSecond
        )
        sources = SourceRates(
            perSecond: configuration.initiationsPerSecondOfSource,
            limit: configuration.maximumSourceCount
        )
        provenSources = sources
    }

    /// The established links, in the order of their ids.
    package var links: [LinkInfo] { established.map(\.info) }

    /// Returns the smoothed round trip of a link; nil before the first sample.
    func roundTrip(of link: LinkID) -> Duration? {
        guard let index = established.index(of: link) else { return nil }
        return established.roundTrip(at: index)
    }

    /// The time of the table's next own action.
    package var nextDeadline: MeshInstant {
        var deadline = established.nextDeadline
        for dial in dials { deadline = min(deadline, dial.nextDeadline) }
        for answer in answers { deadline = min(deadline, answer.expiresAt) }
        return deadline
    }

    /// Begins a link, unless one exists or is being made.
    ///
    /// The caller decides when to try again after a failure.
    ///
    /// - Parameter node: The wanted node; nil for any node that answers (a static peer).
    package mutating func dial(
        _ node: NodeID?,
        at endpoint: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        let isLinked = established.contains { link in
            link.health == .up && (link.node == node || node == nil && link.endpoint == endpoint)
        }
        let isDialled = dials.contains { $0.endpoint == endpoint || node != nil && $0.node == node }
        guard !isLinked, !isDialled, node != nodeID, !bans.holds(endpoint, now: now)
        else { return }
        guard dials.count < configuration.maximumDialCount, established.count < configuration.maximumLinkCount else {
            effects.append(.dropped(.handshakeLimited))
            effects.append(.dialFailed(node, endpoint))
            return
        }
        var dial = Dial(
            to: node,
            at: endpoint,
            from: nodeID,
            connection: unusedConnection(),
            handshake: cryptography.initiatorHandshake(),
            resendDelay: dialPace.delay,
            timeout: configuration.dialTimeout,
            now: now
        )
        dial.sendIfDue(now: now, into: &effects)
        dials.append(dial)
    }

    /// Sends the INIT of a dial again at once, because a node was just heard at its endpoint.
    package mutating func retryNow(_ endpoint: Endpoint, now: MeshInstant, into effects: inout [LinkEffect]) {
        for index in dials.indices where dials[index].endpoint == endpoint {
            dials[index].retryNow(now: now, into: &effects)
        }
    }

    /// Ends a turn: sends the messages queued since the last flush, as window and pace allow.
    package mutating func flush(now: MeshInstant, into effects: inout [LinkEffect]) {
        for index in established.indices where established.isTouched(at: index) {
            established[index].flush(now: now, into: &effects)
        }
    }

    /// Queues a message on a link.
    ///
    /// - Parameters:
    ///   - message: 1 to 24,576 bytes.
    ///   - tag: The tag of the message in `transmitted` and `acknowledged`; 0 for a message without reports.
    /// - Returns: Whether the message was queued. If not, the lane is full or there is no such link.
    package mutating func send(
        _ message: [UInt8],
        lane: Lane,
        tag: UInt64,
        on link: LinkID
    ) -> Bool {
        precondition(
            !message.isEmpty && message.count <= LinkProtocol.maximumMessageByteCount,
            "A message of \(message.count) bytes fits no link"
        )
        guard let index = established.index(of: link) else { return false }
        return established[index].send(message, lane: lane, tag: tag)
    }

    /// Queues a live datagram on a link.
    ///
    /// It is never sent again, and it is dropped if it cannot leave within 150 ms.
    ///
    /// - Parameter bytes: 1 to 1,100 bytes.
    /// - Returns: Whether the datagram was queued. If not, too many are waiting or there is no such link.
    package mutating func sendDatagram(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool {
        precondition(
            !bytes.isEmpty && bytes.count <= LinkProtocol.maximumLiveByteCount,
            "A live datagram of \(bytes.count) bytes fits no packet"
        )
        guard let index = established.index(of: link) else { return false }
        return established[index].sendDatagram(bytes, now: now)
    }

    /// Sets the status for all neighbours.
    ///
    /// It is sent at once if it differs from the last one, and with every idle ping.
    package mutating func setStatus(_ status: LinkStatus) {
        self.status = status
        for index in established.indices { established[index].setStatus(status) }
    }

    /// Ends a link and notifies the peer.
    package mutating func close(
        _ link: LinkID,
        reason: LinkCloseReason,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        guard let index = established.index(of: link) else { return }
        established[index].close(reason: reason, now: now, into: &effects)
        removeEnded(now: now, into: &effects)
    }

    /// Ends a link whose peer misbehaves, and bans its endpoint for a time.
    package mutating func ban(_ link: LinkID, now: MeshInstant, into effects: inout [LinkEffect]) {
        close(link, reason: .misbehaved, now: now, into: &effects)
    }

    /// Ends the handshakes on an interface.
    ///
    /// Its links survive if the peers answer on another path in time.
    package mutating func interfaceDown(
        _ interface: InterfaceID,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        for dial in dials where dial.endpoint.interface == interface {
            effects.append(.dialFailed(dial.node, dial.endpoint))
        }
        dials.removeAll { $0.endpoint.interface == interface }
        answers.removeAll { $0.endpoint.interface == interface }
        for index in established.indices where established[index].endpoint.interface == interface {
            established[index].loseInterface()
        }
    }

    /// Changes the node id for later handshakes.
    package mutating func rename(to node: NodeID) {
        nodeID = node
    }

    /// Performs everything that is due.
    package mutating func tick(now: MeshInstant, into effects: inout [LinkEffect]) {
        for index in established.indices where established.isDue(at: index, now: now) {
            established[index].tick(now: now, random: &random)
        }
        removeEnded(now: now, into: &effects)
        answers.removeAll { $0.expiresAt <= now }
        for dial in dials where dial.isOver(now: now) {
            dialPace.noteFailure(of: dial)
            effects.append(.dialFailed(dial.node, dial.endpoint))
        }
        dials.removeAll { $0.isOver(now: now) }
        for index in dials.indices {
            dials[index].sendIfDue(now: now, into: &effects)
        }
    }

    /// Removes the links that have ended.
    mutating func removeEnded(now: MeshInstant, into effects: inout [LinkEffect]) {
        guard established.hasEnded else { return }
        for link in established {
            guard let end = link.end else { continue }
            effects.append(.down(link.id, node: link.node, reason: end))
            if end == .misbehaved { ban(link.endpoint, now: now) }
        }
        established.removeAll { $0.end != nil }
    }

    private mutating func ban(_ endpoint: Endpoint, now: MeshInstant) {
        bans.add(endpoint, now: now)
        dials.removeAll { $0.endpoint == endpoint }
        answers.removeAll { $0.endpoint == endpoint }
    }

    /// Adds a new link and removes older ones of the same node or socket.
    mutating func establish(
        _ link: Link,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        // A socket belongs to one node, which may have changed its id since.
        for old in established where old.node == link.node || old.endpoint == link.endpoint {
            effects.append(.down(old.id, node: old.node, reason: .closedHere))
        }
        established.removeAll { $0.node == link.node || $0.endpoint == link.endpoint }
        for dial in dials where dial.endpoint == link.endpoint && dial.node ?? link.node != link.node {
            effects.append(.dialFailed(dial.node, dial.endpoint))
        }
        dials.removeAll { $0.node == link.node || $0.endpoint == link.endpoint }
        established.append(link)
        effects.append(.up(link.info))
    }

    /// Returns the next local number of a link.
    mutating func nextLinkID() -> LinkID {
        lastLinkNumber += 1
        return LinkID(lastLinkNumber)
    }

    /// Returns an unused random connection number.
    mutating func unusedConnection() -> UInt32 {
        while true {
            let connection = UInt32.random(in: 1 ... .max, using: &random)
            let isUsed =
                established.contains { $0.localConnection == connection }
                || dials.contains { $0.connection == connection }
                || answers.contains { $0.connection == connection }
            if !isUsed { return connection }
        }
    }
}
