import Bytes

/// All links and handshakes of one node.
///
/// Links send their queued messages at the end of a turn, with `flush`, so that messages that were queued together
/// share packets.
/// Invariant: there is at most one link per node key, and every connection number belongs to one dial, answer or link.
/// Source: PROTOCOL §3.
package struct LinkTable: Sendable {
    /// The number of links that others may have dialled.
    ///
    /// It does not limit links that this node dialled.
    package var acceptLimit: Int

    /// The node id in handshakes, which belongs to the node key.
    package private(set) var nodeID: NodeID
    private(set) var nodeKey: any NodeKey

    let configuration: LinkConfiguration
    let cryptography: any MeshCryptography
    var random: MeshRandom
    var status: LinkStatus?
    var established = LinkList()
    var dials: [Dial] = []
    /// The delay before the next dial repeats its INIT.
    var dialPace: DialPace
    var answers: [Answer] = []
    /// The peers of the links that ended a short time ago.
    var formerPeers: FormerPeers
    /// The time from which a link may be closed to make room for another.
    var nextRoom = MeshInstant.zero
    var cookies: Cookies
    var freeInitiations: TokenBucket
    var initiations: TokenBucket
    /// The limit on messages 2 and 3 of handshakes, which nothing but reading them tells from forged ones.
    var readAnswers: TokenBucket
    var sources: SourceRates
    var provenSources: SourceRates
    private var lastLinkNumber: UInt64 = 0

    /// Creates a table without links, with a node key.
    package init(
        nodeKey: any NodeKey,
        configuration: LinkConfiguration,
        cryptography: any MeshCryptography,
        random: MeshRandom
    ) {
        self.configuration = configuration
        self.cryptography = cryptography
        self.random = random
        self.nodeKey = nodeKey
        nodeID = cryptography.nodeID(of: nodeKey.publicKey)
        acceptLimit = configuration.acceptLimit
        dialPace = DialPace(configuration)
        formerPeers = FormerPeers(configuration)
        cookies = Cookies(lifetime: configuration.cookieLifetime, random: &self.random, now: .zero)
        freeInitiations = TokenBucket(
            rate: configuration.initiationsPerSecondWithoutCookie,
            burst: configuration.initiationsPerSecondWithoutCookie
        )
        initiations = TokenBucket(
            rate: configuration.initiationsPerSecond,
            burst: configuration.initiationsPerSecond
        )
        readAnswers = TokenBucket(
            rate: configuration.answersReadPerSecond,
            burst: configuration.answersReadPerSecond
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
            link.health == .up && (link.node == node || link.endpoint == endpoint)
        }
        let isDialled = dials.contains { $0.endpoint == endpoint || node != nil && $0.node == node }
        guard !isLinked, !isDialled, node != nodeID else { return }
        guard dials.count < configuration.maximumDialCount, established.count < configuration.maximumLinkCount else {
            effects.append(.dropped(.handshakeLimited))
            effects.append(.dialFailed(node, endpoint))
            return
        }
        var dial = Dial(
            to: node,
            at: endpoint,
            from: nodeID,
            key: nodeKey,
            connection: unusedConnection(),
            configuration: configuration,
            resendDelay: dialPace.delay(at: endpoint),
            isRepeated: node == nil || formerPeers.contains(endpoint, now: now),
            now: now
        )
        dial.sendIfDue(now: now, into: &effects)
        dials.append(dial)
    }

    /// Sends the INIT of a dial again at once, because a node was just heard at its endpoint.
    ///
    /// - Parameter isAnswer: Whether the node answered a question, so that it is there.
    package mutating func retryNow(
        _ endpoint: Endpoint,
        isAnswer: Bool = false,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        for index in dials.indices where dials[index].endpoint == endpoint {
            dials[index].retryNow(isAnswer: isAnswer, now: now, into: &effects)
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
    /// It is sent if it differs from the last one: at once, unless the last one went a moment ago.
    package mutating func setStatus(_ status: LinkStatus, now: MeshInstant) {
        self.status = status
        for index in established.indices { established[index].setStatus(status, now: now) }
    }

    /// Sets the status for the neighbour of one link, which has just come up.
    mutating func setStatus(_ status: LinkStatus, on link: LinkID, now: MeshInstant) {
        guard let index = established.index(of: link) else { return }
        established[index].setStatus(status, now: now)
    }

    /// Sets the crowd factor of a link's segment.
    mutating func setCrowdFactor(_ factor: Int, of link: LinkID) {
        guard let index = established.index(of: link) else { return }
        established[index].crowdFactor = factor
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

    /// Ends the links and handshakes on an interface.
    ///
    /// A link belongs to one network. Its peers there are dialled anew, also if the interface comes back.
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
            established[index].close(reason: .interfaceLost, now: now, into: &effects)
        }
        removeEnded(now: now, into: &effects)
    }

    /// Takes a new node key for later handshakes, and with it a new node id, which it returns.
    package mutating func renewNodeKey() -> NodeID {
        nodeKey = cryptography.nodeKey(seed: random.next())
        nodeID = cryptography.nodeID(of: nodeKey.publicKey)
        return nodeID
    }

    /// Performs everything that is due.
    package mutating func tick(now: MeshInstant, into effects: inout [LinkEffect]) {
        for index in established.indices where established.isDue(at: index, now: now) {
            established[index].tick(now: now)
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
            formerPeers.add(link.node, at: link.endpoint, now: now)
            effects.append(.down(link.id, node: link.node, reason: end))
        }
        established.removeAll { $0.end != nil }
    }

    /// Adds a new link, which takes the place of a link with the same key.
    ///
    /// Another key replaces no link, whatever id and endpoint it shows. But a link with the same endpoint may have
    /// lost its peer, so that peer is asked.
    mutating func establish(
        _ link: Link,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        for index in established.indices {
            if established[index].peerKey == link.peerKey {
                established[index].close(reason: .closedHere, now: now, into: &effects)
            } else if established[index].endpoint == link.endpoint {
                established[index].ping()
            }
        }
        removeEnded(now: now, into: &effects)
        dials.removeAll { $0.node == link.node || $0.node == nil && $0.endpoint == link.endpoint }
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
