import ChatCrypto
import MeshCore

/// Messages that are on disk and whose senders have not been told yet.
struct OwedReceipts: Sendable {
    private var byPeer: [PeerID: [MessageID]] = [:]
    private var known: [PeerID: Set<MessageID>] = [:]
    private var due: [PeerID: MeshInstant] = [:]
    /// The peers that were sent a receipt a moment ago, until the next one leaves.
    private var resting: [PeerID: MeshInstant] = [:]

    /// When the next receipt is to leave.
    var nextDeadline: MeshInstant { due.values.min() ?? .distantFuture }

    /// Whether a receipt is noted already: a message that comes again is not noted twice.
    func isOwed(_ id: MessageID, to peer: PeerID) -> Bool {
        known[peer]?.contains(id) ?? false
    }

    /// Notes a receipt: the first leaves after `delay`, those of the next moment together, and a full one at once.
    mutating func owe(
        _ id: MessageID,
        to peer: PeerID,
        at now: MeshInstant,
        delay: Duration = .zero
    ) {
        keep(id, to: peer)
        let delayed = max(now.advanced(by: delay), resting[peer] ?? now)
        let isFull = byPeer[peer, default: []].count >= ChatLimits.receiptCount
        // What could not be sealed waits for longer, however much there is.
        guard due[peer].map({ $0 <= delayed }) ?? true else { return }
        due[peer] = isFull ? now : due[peer] ?? delayed
    }

    /// Notes a receipt that is not sent before the user accepts the peer.
    mutating func keep(_ id: MessageID, to peer: PeerID) {
        guard known[peer, default: []].insert(id).inserted else { return }
        byPeer[peer, default: []].append(id)
    }

    /// Forgets a receipt that is to wait until it is owed once more.
    mutating func drop(_ id: MessageID, to peer: PeerID) {
        guard known[peer]?.remove(id) != nil else { return }
        byPeer[peer]?.removeAll { $0 == id }
        if byPeer[peer]?.isEmpty == true {
            byPeer[peer] = nil
            known[peer] = nil
            due[peer] = nil
        }
    }

    /// Keeps what is owed to `peer` until it is released.
    mutating func pause(_ peer: PeerID) {
        due[peer] = nil
    }

    /// Lets what is kept for `peer` leave.
    mutating func release(_ peer: PeerID, at now: MeshInstant) {
        if byPeer[peer] != nil { due[peer] = now }
    }

    /// Peers whose receipts are due, in order.
    func duePeers(at now: MeshInstant) -> [PeerID] {
        due.filter { $0.value <= now }.keys.sorted()
    }

    /// Takes as many as one receipt names; those that follow rest for a moment.
    mutating func take(for peer: PeerID, at now: MeshInstant) -> [MessageID] {
        resting = resting.filter { $0.value > now }
        resting[peer] = now.advanced(by: ChatLimits.receiptDelay)
        let all = byPeer[peer] ?? []
        let taken = Array(all.prefix(ChatLimits.receiptCount))
        let rest = Array(all.dropFirst(taken.count))
        byPeer[peer] = rest.isEmpty ? nil : rest
        known[peer] = rest.isEmpty ? nil : known[peer]?.subtracting(taken)
        if rest.isEmpty { due[peer] = nil }
        return taken
    }

    /// Puts receipts that could not be sealed back, to be tried again at `instant`.
    mutating func putBack(_ ids: [MessageID], for peer: PeerID, until instant: MeshInstant) {
        byPeer[peer] = ids + (byPeer[peer] ?? [])
        known[peer, default: []].formUnion(ids)
        due[peer] = instant
    }

    /// Forgets what is owed to a peer, and says what that was.
    mutating func forget(_ peer: PeerID) -> [MessageID] {
        due[peer] = nil
        known[peer] = nil
        return byPeer.removeValue(forKey: peer) ?? []
    }
}
