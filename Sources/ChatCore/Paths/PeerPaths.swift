package import ChatCrypto
package import MeshCore

/// The paths between this node and its peers, the pings that go along them, and how far away peers are.
///
/// A value without a clock; what is under way when the node stops is gone, and so are the keys.
/// Invariant: no two paths have the same own label.
package struct PeerPaths: Sendable {
    /// One path, opened by this node or by the peer.
    package struct Path: Sendable {
        let peer: PeerID
        let own: PathLabel
        /// Nil until the peer has answered.
        var remote: PathLabel?
        let secret: SecretBytes
        /// Nil until the peer has answered.
        var seal: PathSeal?
        var seen = ReplayWindow(count: 2_048)
        /// The node at the other end, as it said in its answer.
        var node: NodeID?
        /// When something last came by it, or its hello left.
        var lastUsed: MeshInstant
        /// There is, or will be, a better one; this one is only listened to.
        var isRetired = false
    }

    /// A ping without answer.
    struct Ping: Sendable {
        let number: UInt64
        let peer: PeerID
        /// Whether it may be lost on its way, and then is no sign of a path that has no other end.
        let isLive: Bool
        let deadline: MeshInstant
        /// Nil while there is no path for it.
        var sentAt: MeshInstant?
    }

    /// How far away a peer was when it was last heard on a path.
    package struct Distance: Sendable, Equatable {
        /// Links between here and there.
        package var hops: Int
        /// Nil while no ping was answered.
        package var roundTrip: Duration?
        /// The node that the peer is at, if it said so.
        package var node: NodeID?
        var until: MeshInstant
    }

    /// Least recently used first.
    private(set) var all: [Path] = []
    private(set) var pings: [Ping] = []
    /// What the last two minutes told.
    package private(set) var distances: [PeerID: Distance] = [:]
    private var nextHello: [PeerID: MeshInstant] = [:]

    /// When something is due.
    var nextDeadline: MeshInstant {
        var deadline = distances.values.map(\.until).min() ?? .distantFuture
        for path in all { deadline = min(deadline, Self.end(of: path)) }
        for ping in pings {
            deadline = min(deadline, ping.deadline)
            if ping.sentAt == nil { deadline = min(deadline, nextHello[ping.peer] ?? .zero) }
        }
        return deadline
    }

    private static func end(of path: Path) -> MeshInstant {
        path.lastUsed.advanced(by: path.seal == nil ? ChatLimits.helloLife : ChatLimits.pathIdle)
    }

    // MARK: - Paths

    /// The path of an own label.
    package func path(own: PathLabel) -> Path? { all.first { $0.own == own } }

    /// The path to send to a peer by.
    func path(to peer: PeerID) -> Path? { all.last { $0.peer == peer && $0.seal != nil && !$0.isRetired } }

    /// Puts a path in, in place of the one with its own label.
    mutating func put(_ path: Path) {
        all.removeAll { $0.own == path.own }
        if all.count >= ChatLimits.pathCount { all.removeFirst() }
        all.append(path)
    }

    /// Notes that something came by a path.
    mutating func use(_ index: Int, now: MeshInstant) {
        all[index].lastUsed = now
        if index < all.count - 1 { all.append(all.remove(at: index)) }
    }

    /// Takes note of a payload's number; false if it has come before.
    mutating func isNew(_ number: UInt64, on index: Int) -> Bool { all[index].seen.insert(number) }

    /// Forgets the paths to a label, and lets the pings on them go once more, but for live ones; answers whose.
    mutating func lose(_ remote: PathLabel) -> [PeerID] {
        let peers = Set(all.filter { $0.remote == remote }.map(\.peer)).sorted()
        all.removeAll { $0.remote == remote }
        for index in pings.indices where peers.contains(pings[index].peer) && !pings[index].isLive {
            pings[index].sentAt = nil
        }
        return peers
    }

    /// Forgets the paths to a peer that bring no answers.
    package mutating func abandonAll(to peer: PeerID) {
        all.removeAll { $0.peer == peer && $0.seal != nil }
    }

    /// Forgets a path whose hello was not taken.
    mutating func abandon(_ own: PathLabel) {
        all.removeAll { $0.own == own && $0.seal == nil }
    }

    /// Takes other paths from now on to who is at a node that has a link of its own now; answers who that is.
    mutating func retire(indirectTo node: NodeID) -> [PeerID] {
        var peers: Set<PeerID> = []
        for index in all.indices where all[index].node == node && distances[all[index].peer]?.hops ?? 0 > 1 {
            all[index].isRetired = true
            peers.insert(all[index].peer)
        }
        return peers.sorted()
    }

    /// Whether a hello to a peer may leave; if so, the next one has to wait.
    mutating func takeHello(to peer: PeerID, now: MeshInstant) -> Bool {
        guard nextHello[peer] ?? .zero <= now else { return false }
        nextHello[peer] = now.advanced(by: ChatLimits.helloInterval)
        return true
    }

    // MARK: - Pings

    mutating func begin(_ ping: Ping) { pings.append(ping) }

    /// The peers that pings wait to go to.
    var waitingPeers: [PeerID] { Set(pings.filter { $0.sentAt == nil }.map(\.peer)).sorted() }

    /// The pings that have not gone to a peer yet, which they do now.
    mutating func takeWaiting(for peer: PeerID, now: MeshInstant) -> [Ping] {
        var taken: [Ping] = []
        for index in pings.indices where pings[index].peer == peer && pings[index].sentAt == nil {
            pings[index].sentAt = now
            taken.append(pings[index])
        }
        return taken
    }

    /// Ends a ping that this peer has answered; how long that took.
    mutating func end(_ number: UInt64, by peer: PeerID, now: MeshInstant) -> Duration? {
        guard let index = pings.firstIndex(where: { $0.number == number && $0.peer == peer }),
            let sentAt = pings[index].sentAt
        else { return nil }
        pings.remove(at: index)
        return sentAt.duration(to: now)
    }

    /// Notes what a payload of a peer told.
    mutating func note(_ peer: PeerID, hops: Int, roundTrip: Duration? = nil, node: NodeID?, now: MeshInstant) {
        let known = distances[peer]
        distances[peer] = Distance(
            hops: hops,
            roundTrip: roundTrip ?? known?.roundTrip,
            node: node ?? known?.node,
            until: now.advanced(by: .milliseconds(Int64(ChatLimits.reachableAge)))
        )
    }

    // MARK: - Time

    /// Forgets what is over; answers the pings that got no answer.
    mutating func expire(now: MeshInstant) -> [UInt64] {
        let late = pings.filter { $0.deadline <= now }
        pings.removeAll { $0.deadline <= now }
        // A path that brings no answer may have no other end any more.
        let silent = Set(late.filter { $0.sentAt != nil && !$0.isLive }.map(\.peer))
        all.removeAll { Self.end(of: $0) <= now || silent.contains($0.peer) && $0.seal != nil }
        distances = distances.filter { $0.value.until > now }
        nextHello = nextHello.filter { $0.value > now }
        return late.map(\.number)
    }
}
