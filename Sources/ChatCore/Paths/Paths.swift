package import ChatCrypto
package import MeshCore

/// The paths between this node and its peers, the pings along them, and the distances of peers.
///
/// A stop of the node ends everything in progress and destroys the keys. Invariant: no two paths have the same own
/// label. Source: PROTOCOL §10 content and receipts.
package struct Paths: Sendable {
    /// A ping without answer.
    private struct Ping {
        let number: UInt64
        let peer: PeerID
        /// Whether it may be lost on its way, so that a missing answer is no sign of a path without another end.
        let isLive: Bool
        let deadline: MeshInstant
        /// The time of sending; nil while there is no path for it.
        var sentAt: MeshInstant?
    }

    /// The distance of a peer when a path last brought something from them.
    package struct Distance: Sendable, Equatable {
        /// The number of links to the peer.
        package fileprivate(set) var hops = 0
        /// The round-trip time; nil while no ping was answered.
        package fileprivate(set) var roundTrip: Duration?
        /// The peer's node, if the peer has stated it.
        package fileprivate(set) var node: NodeID?
        fileprivate var until = MeshInstant.zero
    }

    /// The paths, the least recently used first.
    private var all: [Path] = []
    private var pings: [Ping] = []
    /// The distances measured in the last two minutes.
    package private(set) var distances: [PeerID: Distance] = [:]
    /// The times before which no other hello is sent.
    private var nextHello: [PeerID: MeshInstant] = [:]
    private var effects: [PathEffect] = []

    // MARK: - Reading

    /// The time at which ``tick(at:)`` has work to do.
    var nextDeadline: MeshInstant {
        var deadline = distances.values.map(\.until).min() ?? .distantFuture
        for path in all { deadline = min(deadline, path.end) }
        for ping in pings {
            deadline = min(deadline, ping.deadline)
            if ping.sentAt == nil { deadline = min(deadline, nextHello[ping.peer] ?? .zero) }
        }
        return deadline
    }

    /// Returns the peer at the other end of the path of an own label.
    package func peer(at own: PathLabel) -> PeerID? { all.first { $0.own == own }?.peer }

    /// Whether there is a path for sending to a peer.
    func hasPath(to peer: PeerID) -> Bool { path(to: peer) != nil }

    /// Returns the best path to a peer at the moment; a retired one is better than none.
    package func bestPath(to peer: PeerID) -> PathLabel? {
        (path(to: peer) ?? all.last { $0.peer == peer && $0.isOpen })?.own
    }

    private func path(to peer: PeerID) -> Path? { all.last { $0.peer == peer && $0.isOpen && !$0.isRetired } }

    // MARK: - Opening

    /// Searches for a path to a peer, or reports an existing one.
    mutating func findPath(for peer: PeerID, at now: MeshInstant) {
        if hasPath(to: peer) { effects.append(.transfer(.pathOpened(peer))) } else { sayHello(to: peer, at: now) }
    }

    /// Sends a hello to a peer, if the last one was long enough ago; returns whether it was.
    @discardableResult
    mutating func sayHello(to peer: PeerID, at now: MeshInstant) -> Bool {
        guard nextHello[peer] ?? .zero <= now else { return false }
        nextHello[peer] = now.advanced(by: ChatLimits.helloInterval)
        effects.append(.hello(to: peer, SecretBytes.random(count: PathSeal.secretByteCount)))
        return true
    }

    /// Begins the path of a hello that is being sent.
    mutating func begin(_ own: PathLabel, to peer: PeerID, _ secret: SecretBytes, at now: MeshInstant) {
        put(Path(to: peer, own: own, secret: secret, at: now))
    }

    /// Answers a peer's hello from a node.
    mutating func answer(
        _ peer: PeerID,
        _ remote: PathLabel,
        _ secret: SecretBytes,
        from node: NodeID,
        at now: MeshInstant
    ) {
        let path = Path(to: peer, own: .random(), remote: remote, secret: secret, at: now)
        put(path)
        send(.answer(node), on: path)
        effects.append(.transfer(.pathOpened(peer)))
    }

    /// Adds a path and replaces the one with its own label.
    private mutating func put(_ path: Path) {
        all.removeAll { $0.own == path.own }
        if all.count >= ChatLimits.pathCount { all.removeFirst() }
        all.append(path)
    }

    // MARK: - Ending

    /// Forgets a path whose hello was not accepted.
    mutating func abandon(_ own: PathLabel) { all.removeAll { $0.own == own && !$0.isOpen } }

    /// Forgets the paths to a peer that bring no answers.
    package mutating func abandonAll(to peer: PeerID) { all.removeAll { $0.peer == peer && $0.isOpen } }

    /// Retires the indirect paths to the peers at a node that has a direct link now.
    mutating func retire(indirectTo node: NodeID) {
        var peers: Set<PeerID> = []
        for index in all.indices where all[index].node == node && distances[all[index].peer]?.hops ?? 0 > 1 {
            all[index].isRetired = true
            peers.insert(all[index].peer)
        }
        effects += peers.sorted().map { .retired($0) }
    }

    /// Forgets the paths to a label that is out of reach; the pings on them are sent again, except live ones.
    mutating func lose(_ remote: PathLabel, at now: MeshInstant) {
        let peers = Set(all.filter { $0.remote == remote }.map(\.peer)).sorted()
        all.removeAll { $0.remote == remote }
        for index in pings.indices where peers.contains(pings[index].peer) && !pings[index].isLive {
            pings[index].sentAt = nil
        }
        for peer in peers {
            if bestPath(to: peer) == nil { effects.append(.transfer(.pathLost(peer))) }
            if waitingPeers.contains(peer) { sendPings(to: peer, at: now) }
        }
    }

    // MARK: - Payloads

    /// Handles a payload for an own label; one that its path's other end did not seal changes nothing.
    ///
    /// - Parameter isContact: Whether the user talks to the path's peer. Other peers do not learn the distance of this
    ///   node.
    mutating func receive(_ message: PathMessage, isContact: Bool, at now: MeshInstant) {
        guard var path = all.first(where: { $0.own == message.to }),
            let (content, startingHops) = path.open(message, at: now)
        else { return }
        put(path)
        let peer = path.peer
        // The peer claims the number at which its hops start; a false claim misleads only the display.
        let hops = max(1, Int(message.hops) - Int(startingHops))
        switch content {
        case .answer(let node):
            note(peer, hops: hops, at: now)
            distances[peer]?.node = node
            effects.append(.discovered(peer))
            if hops > 1 { effects.append(.link(node)) }
            sendPings(to: peer, at: now)
            effects += [.answered(peer), .transfer(.pathOpened(peer))]
        case .request(let number):
            guard isContact else { return }
            note(peer, hops: hops, at: now)
            send(.reply(number), on: path, isLive: message.isLive)
        case .reply(let number):
            guard let index = pings.firstIndex(where: { $0.number == number && $0.peer == peer }),
                let roundTrip = pings[index].sentAt?.duration(to: now)
            else { return }
            pings.remove(at: index)
            note(peer, hops: hops, at: now)
            distances[peer]?.roundTrip = roundTrip
            effects.append(.endPing(number, PingAnswer(hops: hops, roundTrip: roundTrip)))
        case .typing(let isTyping): effects.append(.typing(isTyping, inGroup: nil, from: peer))
        case .groupTyping(let digits, let isTyping): effects.append(.typing(isTyping, inGroup: digits, from: peer))
        case .streamingReply(let part): effects.append(.streamingReply(part, from: peer))
        case .blob(let blob): effects.append(.transfer(.message(blob, from: peer, on: path.own)))
        }
    }

    /// Notes the distance of a peer.
    private mutating func note(_ peer: PeerID, hops: Int, at now: MeshInstant) {
        distances[peer, default: Distance()].hops = hops
        distances[peer]?.until = now.advanced(by: .milliseconds(Int64(ChatLimits.reachableAge)))
    }

    /// Sends a peer a live content; false if there is no path to it.
    mutating func sendLive(_ content: PathContent, to peer: PeerID) -> Bool {
        guard let path = path(to: peer) else { return false }
        send(content, on: path, isLive: true)
        return true
    }

    private mutating func send(_ content: PathContent, on path: Path, isLive: Bool = false) {
        guard let message = path.seal(content, isLive: isLive) else { return }
        put(path)
        effects.append(.send(message))
    }

    // MARK: - Transfers

    // They take thousands of payloads a second, which change nothing that is stored: no effect, and no step.

    /// Opens a payload that is part of a transfer; nil for all others, which change nothing.
    package mutating func openBlob(
        _ message: PathMessage,
        now: MeshInstant
    ) -> (peer: PeerID, path: PathLabel, message: BlobMessage)? {
        guard let index = all.lastIndex(where: { $0.own == message.to }),
            let blob = all[index].openBlob(message.payload, at: now)
        else { return nil }
        let peer = all[index].peer
        if index < all.count - 1 { all.append(all.remove(at: index)) }
        return (peer, message.to, blob)
    }

    /// Seals part of a transfer for a path; nil if the path does not exist any more.
    package func seal(_ message: BlobMessage, on own: PathLabel) -> PathMessage? {
        all.first { $0.own == own }?.seal(.blob(message))
    }

    // MARK: - Pings

    /// Begins a ping, and searches for a path first if there is none.
    ///
    /// - Parameter isLive: Whether question and answer may be lost, each on every link of its way.
    /// - Throws: `limited` for one more than ``ChatLimits/pingCount``.
    mutating func ping(_ peer: PeerID, number: UInt64, isLive: Bool, at now: MeshInstant) throws(ChatError) {
        guard pings.count < ChatLimits.pingCount else {
            throw ChatError(.limited, "\(ChatLimits.pingCount) pings are running already. Wait for their answers.")
        }
        let timeout = isLive ? ChatLimits.livePingTimeout : ChatLimits.pingTimeout
        pings.append(Ping(number: number, peer: peer, isLive: isLive, deadline: now.advanced(by: timeout)))
        sendPings(to: peer, at: now)
    }

    /// Sends the pings that wait for a peer, or searches for a path first.
    private mutating func sendPings(to peer: PeerID, at now: MeshInstant) {
        guard let path = path(to: peer) else {
            sayHello(to: peer, at: now)
            return
        }
        for index in pings.indices where pings[index].peer == peer && pings[index].sentAt == nil {
            pings[index].sentAt = now
            send(.request(pings[index].number), on: path, isLive: pings[index].isLive)
        }
    }

    /// The peers with waiting pings.
    private var waitingPeers: [PeerID] { Set(pings.filter { $0.sentAt == nil }.map(\.peer)).sorted() }

    // MARK: - Time and effects

    /// Does all work that is due: ends pings, forgets paths, repeats hellos.
    mutating func tick(at now: MeshInstant) {
        guard nextDeadline <= now else { return }
        let late = pings.filter { $0.deadline <= now }
        pings.removeAll { $0.deadline <= now }
        effects += late.map { .endPing($0.number, nil) }
        // A path that brings no answer may have no other end any more.
        let silent = Set(late.filter { $0.sentAt != nil && !$0.isLive }.map(\.peer))
        all.removeAll { $0.end <= now || silent.contains($0.peer) && $0.isOpen }
        distances = distances.filter { $0.value.until > now }
        nextHello = nextHello.filter { $0.value > now }
        for peer in waitingPeers { sendPings(to: peer, at: now) }
    }

    /// Returns the effects, in order, and removes them.
    mutating func takeEffects() -> [PathEffect] {
        defer { effects = [] }
        return effects
    }
}
