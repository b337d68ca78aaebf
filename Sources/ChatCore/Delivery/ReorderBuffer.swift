import Bytes
import ChatCrypto
import MeshCore

/// The messages that arrived before an earlier one of their sender, held briefly so that they are shown in order.
///
/// They are on disk and have receipts; only showing them waits. Bounded by ``ChatLimits/heldCount``. The engine writes
/// what ``takeChanges()`` names.
struct ReorderBuffer: Sendable {
    /// A held message; those of one peer are shown in this order.
    private struct Entry: Comparable {
        let id: MessageID
        let peer: PeerID
        let order: UInt64
        /// The number of messages that arrived before it.
        let arrival: UInt64
        let since: MeshInstant

        static func < (one: Entry, other: Entry) -> Bool { (one.order, one.arrival) < (other.order, other.arrival) }
    }

    /// A held message; the gaps before them are given up in this order.
    private struct Wait: Comparable {
        let entry: Entry

        private var place: (MeshInstant, PeerID, UInt64) { (entry.since, entry.peer, entry.arrival) }

        static func < (one: Wait, other: Wait) -> Bool { one.place < other.place }
    }

    private struct Name: Comparable {
        let peer: PeerID
        let id: MessageID

        static func < (one: Name, other: Name) -> Bool { (one.peer, one.id) < (other.peer, other.id) }
    }

    private var names = SortedSet<Name>()
    private var byPeer: [PeerID: SortedSet<Entry>] = [:]
    private var waits = SortedSet<Wait>()
    private var arrivalCount: UInt64 = 0
    /// The records that the store does not have yet, nil for one that it has to delete.
    private var changed: [MessageID: ProtoMessageRecord?] = [:]

    var count: Int { names.count }

    /// The time at which the longest held message is shown without its predecessor.
    var nextDeadline: MeshInstant {
        waits.first?.entry.since.advanced(by: ChatLimits.reorderTime) ?? .distantFuture
    }

    /// The peers whose messages are held.
    var peers: [PeerID] { byPeer.keys.sorted() }

    func holds(_ id: MessageID, of peer: PeerID) -> Bool {
        names.contains(Name(peer: peer, id: id))
    }

    /// Holds a message of a peer.
    mutating func hold(
        _ record: ProtoMessageRecord,
        _ id: MessageID,
        order: UInt64,
        of peer: PeerID,
        at now: MeshInstant
    ) {
        insert(id, order: order, of: peer, at: now)
        changed[id] = record
    }

    /// Restores a stored message.
    mutating func restore(_ record: ProtoMessageRecord, at now: MeshInstant) {
        guard let id = MessageID(bytes: record.id), let peer = PeerID(bytes: record.conversation),
            let content = MessageContent.decode([UInt8](record.content))
        else { return }
        insert(id, order: content.order, of: peer, at: now)
    }

    private mutating func insert(_ id: MessageID, order: UInt64, of peer: PeerID, at now: MeshInstant) {
        // A damaged store may hold a message twice.
        guard !holds(id, of: peer) else { return }
        let entry = Entry(id: id, peer: peer, order: order, arrival: arrivalCount, since: now)
        names.insert(Name(peer: peer, id: id))
        byPeer[peer, default: SortedSet()].insert(entry)
        waits.insert(Wait(entry: entry))
        arrivalCount += 1
    }

    /// Returns whether a message of a peer may be shown: the expected one, or one before it.
    func holdsNext(of peer: PeerID, expecting order: UInt64) -> Bool {
        byPeer[peer]?.first.map { $0.order <= order } ?? false
    }

    /// Takes the next message of a peer that may be shown: the expected one, or one before it; nil if there is none.
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

    /// Returns the peer whose gap has to be given up: one held too long, or the longest held when there are too many.
    func overdue(at now: MeshInstant) -> PeerID? {
        nextDeadline <= now || count > ChatLimits.heldCount ? waits.first?.entry.peer : nil
    }

    /// Takes the first message of a peer, whatever is missing before it; nil if its record is missing.
    mutating func removeFirst(of peer: PeerID, in snapshot: some Snapshot) throws -> ProtoMessageRecord? {
        guard let id = dropFirst(of: peer) else { return nil }
        let record = try changed[id] ?? snapshot.message(.reorderBuffer, id.bytes, as: ProtoMessageRecord.self)
        changed.updateValue(nil, forKey: id)
        return record
    }

    /// Forgets the messages of a peer.
    mutating func forget(_ peer: PeerID) {
        while let id = dropFirst(of: peer) { changed.updateValue(nil, forKey: id) }
    }

    private mutating func dropFirst(of peer: PeerID) -> MessageID? {
        guard let first = byPeer[peer]?.first else { return nil }
        byPeer[peer]?.remove(first)
        if byPeer[peer]?.isEmpty ?? false { byPeer[peer] = nil }
        waits.remove(Wait(entry: first))
        names.remove(Name(peer: peer, id: first.id))
        return first.id
    }

    /// Returns the changed records and clears them: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoMessageRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [:] }
        return changed.sorted { $0.key < $1.key }.map { ($0.key.bytes, $0.value) }
    }
}
