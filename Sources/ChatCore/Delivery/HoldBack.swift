import ChatCrypto
import MeshCore

/// Messages that came before an earlier one of their sender, kept back a little so that they are shown in order.
///
/// They are on disk and receipted; only showing them waits. Bounded by ``ChatLimits/heldCount``.
struct HoldBack: Sendable {
    struct Held: Sendable {
        let order: UInt64
        let id: MessageID
        let since: MeshInstant
    }

    private var byPeer: [PeerID: [Held]] = [:]
    private(set) var count = 0

    /// When the longest held message is shown without its predecessor.
    var nextDeadline: MeshInstant {
        byPeer.values.joined().map(\.since).min().map { $0.advanced(by: ChatLimits.holdBack) } ?? .distantFuture
    }

    /// Whose messages are held.
    var peers: [PeerID] { byPeer.keys.sorted() }

    func holds(_ id: MessageID, of peer: PeerID) -> Bool {
        byPeer[peer]?.contains { $0.id == id } ?? false
    }

    mutating func hold(_ held: Held, of peer: PeerID) {
        var queue = byPeer[peer] ?? []
        let position = queue.firstIndex { $0.order > held.order } ?? queue.endIndex
        queue.insert(held, at: position)
        byPeer[peer] = queue
        count += 1
    }

    /// Takes the next message of `peer` that may be shown: the one expected, or one before it.
    mutating func take(from peer: PeerID, expecting order: UInt64) -> Held? {
        guard let first = byPeer[peer]?.first, first.order <= order else { return nil }
        return takeFirst(of: peer)
    }

    /// The peer whose gap is to be given up: one held too long, or the longest held when there are too many.
    func overdue(at now: MeshInstant) -> PeerID? {
        let oldest = byPeer.compactMap { peer, queue in queue.map(\.since).min().map { (since: $0, peer: peer) } }
            .min { ($0.since, $0.peer) < ($1.since, $1.peer) }
        guard let oldest else { return nil }
        let isDue = oldest.since.advanced(by: ChatLimits.holdBack) <= now
        return isDue || count > ChatLimits.heldCount ? oldest.peer : nil
    }

    /// Takes the first message of `peer` whatever is missing before it.
    mutating func takeFirst(of peer: PeerID) -> Held? {
        guard var queue = byPeer[peer], !queue.isEmpty else { return nil }
        let first = queue.removeFirst()
        byPeer[peer] = queue.isEmpty ? nil : queue
        count -= 1
        return first
    }
}
