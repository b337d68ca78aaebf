import ChatCrypto
import MeshCore

/// The messages that came before an earlier one of their sender, kept back a little so that they are shown in order.
///
/// They are on disk and receipted; only showing them waits. Bounded by ``ChatLimits/heldCount``. The engine writes what
/// ``takeChanges()`` names.
struct ReorderBuffer: Sendable {
    private struct Entry: Sendable {
        let order: UInt64
        let id: MessageID
        let since: MeshInstant
    }

    private var byPeer: [PeerID: [Entry]] = [:]
    private(set) var count = 0
    /// The records that the store does not have yet, nil for one that it is to delete.
    private var changed: [MessageID: ProtoMessageRecord?] = [:]

    /// The time at which the longest held message is shown without its predecessor.
    var nextDeadline: MeshInstant {
        byPeer.values.joined().map(\.since).min().map { $0.advanced(by: ChatLimits.holdBack) } ?? .distantFuture
    }

    /// The peers whose messages are held.
    var peers: [PeerID] { byPeer.keys.sorted() }

    func holds(_ id: MessageID, of peer: PeerID) -> Bool {
        byPeer[peer]?.contains { $0.id == id } ?? false
    }

    /// Holds a message of a peer.
    mutating func hold(
        _ record: ProtoMessageRecord,
        _ id: MessageID,
        order: UInt64,
        of peer: PeerID,
        at now: MeshInstant
    ) {
        insert(Entry(order: order, id: id, since: now), of: peer)
        changed[id] = record
    }

    /// Restores a stored message.
    mutating func restore(_ record: ProtoMessageRecord, at now: MeshInstant) {
        guard let id = MessageID(bytes: record.id), let peer = PeerID(bytes: record.conversation),
            let content = MessageContent.decode([UInt8](record.content))
        else { return }
        insert(Entry(order: content.order, id: id, since: now), of: peer)
    }

    private mutating func insert(_ entry: Entry, of peer: PeerID) {
        var queue = byPeer[peer] ?? []
        let position = queue.firstIndex { $0.order > entry.order } ?? queue.endIndex
        queue.insert(entry, at: position)
        byPeer[peer] = queue
        count += 1
    }

    /// Takes the next message of a peer that may be shown: the one expected, or one before it; nil if there is none.
    mutating func take(
        from peer: PeerID,
        expecting order: UInt64,
        in snapshot: some Snapshot
    ) throws -> ProtoMessageRecord? {
        while let first = byPeer[peer]?.first, first.order <= order {
            if let record = try removeFirst(of: peer, in: snapshot) { return record }
        }
        return nil
    }

    /// The peer whose gap is to be given up: one held too long, or the longest held when there are too many.
    func overdue(at now: MeshInstant) -> PeerID? {
        let oldest = byPeer.compactMap { peer, queue in queue.map(\.since).min().map { (since: $0, peer: peer) } }
            .min { ($0.since, $0.peer) < ($1.since, $1.peer) }
        guard let oldest else { return nil }
        let isDue = oldest.since.advanced(by: ChatLimits.holdBack) <= now
        return isDue || count > ChatLimits.heldCount ? oldest.peer : nil
    }

    /// Takes the first message of a peer whatever is missing before it; nil if its record is gone.
    mutating func removeFirst(of peer: PeerID, in snapshot: some Snapshot) throws -> ProtoMessageRecord? {
        guard let first = dropFirst(of: peer) else { return nil }
        let record = try changed[first.id] ?? snapshot.message(.held, first.id.bytes, as: ProtoMessageRecord.self)
        changed.updateValue(nil, forKey: first.id)
        return record
    }

    /// Forgets the messages of a peer.
    mutating func forget(_ peer: PeerID) {
        while let next = dropFirst(of: peer) { changed.updateValue(nil, forKey: next.id) }
    }

    private mutating func dropFirst(of peer: PeerID) -> Entry? {
        guard var queue = byPeer[peer], !queue.isEmpty else { return nil }
        let first = queue.removeFirst()
        byPeer[peer] = queue.isEmpty ? nil : queue
        count -= 1
        return first
    }

    /// Hands out the records that changed: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoMessageRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [:] }
        return changed.sorted { $0.key < $1.key }.map { ($0.key.bytes, $0.value) }
    }
}
