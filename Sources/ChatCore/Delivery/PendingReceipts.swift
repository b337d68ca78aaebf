import ChatCrypto
import MeshCore

/// The messages that are on disk and whose senders do not know that yet.
///
/// The engine writes what ``takeChanges()`` names. Source: PROTOCOL §10 content and receipts.
struct PendingReceipts: Sendable {
    /// A peer to whom receipts leave together; those for groups leave apart, for a member need not be accepted.
    struct Recipient: Hashable, Comparable {
        let peer: PeerID
        /// Whether they are for messages to groups.
        var isMember = false

        static func < (one: Recipient, other: Recipient) -> Bool {
            one.isMember == other.isMember ? one.peer < other.peer : other.isMember
        }
    }

    private struct Entry {
        let peer: PeerID
        let group: GroupID?
        /// The proof that ends the message's envelope; empty where it has left.
        let preimage: [UInt8]

        var recipient: Recipient { Recipient(peer: peer, isMember: group != nil) }
    }

    private var entries: [MessageID: Entry] = [:]
    /// The messages whose receipts leave when they are due; others wait for their files.
    private var queues: [Recipient: [MessageID]] = [:]
    private var queued: Set<MessageID> = []
    private var due: [Recipient: MeshInstant] = [:]
    /// The recipients that were sent a receipt a moment ago, until the next one leaves.
    private var resting: [Recipient: MeshInstant] = [:]
    /// The messages whose records the store does not have as they are now.
    private var changed: Set<MessageID> = []

    /// The time at which the next receipt is to leave.
    var nextDeadline: MeshInstant { due.values.min() ?? .distantFuture }

    /// The peer to whom a message's receipt goes; nil for one that has none pending.
    func recipient(of id: MessageID) -> Recipient? { entries[id]?.recipient }

    // MARK: - Adding

    /// Adds a receipt: the first leaves soon, those of the next moment together, and a full one at once.
    ///
    /// - Parameters:
    ///   - preimage: The proof that ends the message's envelope; empty where it has left.
    ///   - isAccepted: Whether the user talks to the peer; an unknown peer's receipt waits for that.
    mutating func add(
        _ id: MessageID,
        _ preimage: [UInt8],
        to peer: PeerID,
        in conversation: ConversationID,
        isAccepted: Bool,
        at now: MeshInstant
    ) {
        guard !queued.contains(id) else { return }
        entries[id] = Entry(peer: peer, group: conversation.group, preimage: preimage)
        changed.insert(id)
        schedule(id, isAccepted: isAccepted, at: now)
    }

    /// Has a receipt leave; those for groups wait a little, for all members answer at once.
    mutating func schedule(_ id: MessageID, isAccepted: Bool, at now: MeshInstant) {
        guard let recipient = entries[id]?.recipient else { return }
        if queued.insert(id).inserted { queues[recipient, default: []].append(id) }
        guard recipient.isMember || isAccepted else { return }
        let delay = recipient.isMember ? ChatLimits.groupReceiptDelay : .zero
        let delayed = max(now.advanced(by: delay), resting[recipient] ?? now)
        // A receipt that could not be sealed waits for longer, however many there are.
        guard due[recipient].map({ $0 <= delayed }) ?? true else { return }
        let isFull = queues[recipient, default: []].count >= ChatLimits.receiptCount
        due[recipient] = isFull ? now : due[recipient] ?? delayed
    }

    /// Has a receipt wait until it is scheduled once more, as for the files of its message.
    mutating func suspend(_ id: MessageID) {
        guard let recipient = entries[id]?.recipient, queued.remove(id) != nil else { return }
        queues[recipient]?.removeAll { $0 == id }
        guard queues[recipient]?.isEmpty == true else { return }
        queues[recipient] = nil
        due[recipient] = nil
    }

    /// Forgets a receipt.
    mutating func remove(_ id: MessageID) {
        suspend(id)
        guard entries.removeValue(forKey: id) != nil else { return }
        changed.insert(id)
    }

    /// Forgets the receipts for a peer.
    mutating func forget(_ peer: PeerID) {
        for id in queues[Recipient(peer: peer)] ?? [] { remove(id) }
    }

    // MARK: - Leaving

    /// Has the receipts for a recipient leave at a time, and no earlier; nil keeps them until then.
    mutating func release(_ recipient: Recipient, at instant: MeshInstant?) {
        if queues[recipient] != nil { due[recipient] = instant }
    }

    /// The recipients whose receipts are due, in order.
    func dueRecipients(at now: MeshInstant) -> [Recipient] {
        due.filter { $0.value <= now }.keys.sorted()
    }

    /// Takes the messages that one receipt names; those that follow rest for a moment.
    mutating func take(for recipient: Recipient, at now: MeshInstant) -> [MessageID] {
        resting = resting.filter { $0.value > now }
        resting[recipient] = now.advanced(by: ChatLimits.receiptDelay)
        let taken = Array((queues[recipient] ?? []).prefix(ChatLimits.receiptCount))
        for id in taken { queued.remove(id) }
        let rest = Array((queues[recipient] ?? []).dropFirst(taken.count))
        queues[recipient] = rest.isEmpty ? nil : rest
        if rest.isEmpty { due[recipient] = nil }
        return taken
    }

    /// Puts messages back whose receipt could not be sealed, to be tried again at a time.
    mutating func putBack(_ ids: [MessageID], for recipient: Recipient, until instant: MeshInstant) {
        queues[recipient] = ids + (queues[recipient] ?? [])
        queued.formUnion(ids)
        due[recipient] = instant
    }

    /// Notes that a receipt has left; returns the proofs that leave with it.
    mutating func finish(_ ids: [MessageID]) -> [[UInt8]] {
        ids.compactMap { id in
            let entry = entries[id]
            remove(id)
            return entry.flatMap { $0.preimage.isEmpty ? nil : $0.preimage }
        }
    }

    // MARK: - Storing

    /// Restores a stored record, whose receipt waits until it is scheduled; returns its message.
    mutating func restore(_ record: ProtoOwedRecord) -> MessageID? {
        guard let id = MessageID(bytes: record.message), let peer = PeerID(bytes: record.peer) else { return nil }
        entries[id] = Entry(peer: peer, group: GroupID(bytes: record.group), preimage: [UInt8](record.preimage))
        return id
    }

    /// Hands out the records that changed: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoOwedRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [] }
        return changed.sorted().map { id in (id.bytes, entries[id].map { Self.record(of: $0, for: id) }) }
    }

    private static func record(of entry: Entry, for id: MessageID) -> ProtoOwedRecord {
        var record = ProtoOwedRecord()
        record.message = .bytes(id.bytes)
        record.peer = .bytes(entry.peer.bytes)
        record.preimage = .bytes(entry.preimage)
        if let group = entry.group { record.group = .bytes(group.bytes) }
        return record
    }
}
