import Bytes
import ChatCrypto
import MeshCore

/// The messages that are on disk and whose senders do not know that yet.
///
/// The engine writes what ``takeChanges()`` names. Source: PROTOCOL §10 content and receipts.
struct PendingReceipts: Sendable {
    /// The recipient of one receipt message, which lists several messages.
    ///
    /// Direct messages and messages to groups have separate ones: a member of a group gets receipts without being
    /// accepted as a contact.
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
        /// The delivery proof that ends the message's envelope; empty if it was sent already.
        let deliveryProof: [UInt8]

        var recipient: Recipient { Recipient(peer: peer, isMember: group != nil) }
    }

    /// A message in the order in which the receipts of its recipient are sent.
    private struct Turn: Comparable {
        let number: Int64
        let id: MessageID

        static func < (one: Turn, other: Turn) -> Bool { one.number < other.number }
    }

    private var entries: [MessageID: Entry] = [:]
    /// The messages whose receipts are sent when they are due; others wait for their files.
    private var queues: [Recipient: SortedSet<Turn>] = [:]
    private var queued: [MessageID: Turn] = [:]
    /// The numbers of the last messages that joined a queue at its front and at its end.
    private var (frontNumber, endNumber): (Int64, Int64) = (0, 0)
    private var due = ReceiptDeadlines()
    /// The recipients that were sent a receipt a moment ago, until the next one is sent.
    private var resting = ReceiptDeadlines()
    /// The messages whose present records the store does not have yet.
    private var changed: Set<MessageID> = []

    /// The time at which the next receipt is due.
    var nextDeadline: MeshInstant { due.first ?? .distantFuture }

    /// Returns the recipient of a message's receipt; nil if no receipt is pending.
    func recipient(of id: MessageID) -> Recipient? { entries[id]?.recipient }

    // MARK: - Adding

    /// Adds a receipt: the first is sent soon, those of the next moment together, and a full one at once.
    ///
    /// - Parameters:
    ///   - deliveryProof: The delivery proof that ends the message's envelope; empty if it was sent already.
    ///   - isAccepted: Whether the user talks to the peer; an unknown peer's receipt waits for that.
    mutating func add(
        _ id: MessageID,
        _ deliveryProof: [UInt8],
        to peer: PeerID,
        in conversation: ConversationID,
        isAccepted: Bool,
        at now: MeshInstant
    ) {
        guard queued[id] == nil else { return }
        entries[id] = Entry(peer: peer, group: conversation.group, deliveryProof: deliveryProof)
        changed.insert(id)
        schedule(id, isAccepted: isAccepted, at: now)
    }

    /// Schedules a receipt; those for groups wait a little, because all members answer at once.
    mutating func schedule(_ id: MessageID, isAccepted: Bool, at now: MeshInstant) {
        guard let recipient = entries[id]?.recipient else { return }
        if queued[id] == nil {
            endNumber += 1
            enqueue(Turn(number: endNumber, id: id), for: recipient)
        }
        guard recipient.isMember || isAccepted else { return }
        let delay = recipient.isMember ? ChatLimits.groupReceiptDelay : .zero
        let delayed = max(now.advanced(by: delay), resting[recipient] ?? now)
        // A receipt that could not be sealed waits longer, however many there are.
        guard due[recipient].map({ $0 <= delayed }) ?? true else { return }
        let isFull = queues[recipient, default: SortedSet()].count >= ChatLimits.receiptCount
        due[recipient] = isFull ? now : due[recipient] ?? delayed
    }

    private mutating func enqueue(_ turn: Turn, for recipient: Recipient) {
        queued[turn.id] = turn
        queues[recipient, default: SortedSet()].insert(turn)
    }

    private mutating func dequeue(_ turn: Turn, for recipient: Recipient) {
        queued[turn.id] = nil
        queues[recipient]?.remove(turn)
        guard queues[recipient]?.isEmpty == true else { return }
        queues[recipient] = nil
        due[recipient] = nil
    }

    /// Suspends a receipt until it is scheduled again, for example for the files of its message.
    mutating func suspend(_ id: MessageID) {
        guard let recipient = entries[id]?.recipient, let turn = queued[id] else { return }
        dequeue(turn, for: recipient)
    }

    /// Forgets a receipt.
    mutating func remove(_ id: MessageID) {
        suspend(id)
        guard entries.removeValue(forKey: id) != nil else { return }
        changed.insert(id)
    }

    /// Forgets the receipts for a peer.
    mutating func forget(_ peer: PeerID) {
        for turn in queues[Recipient(peer: peer)] ?? SortedSet() { remove(turn.id) }
    }

    // MARK: - Sending

    /// Schedules the receipts for a recipient for a time, and no earlier; nil keeps them until then.
    mutating func release(_ recipient: Recipient, at instant: MeshInstant?) {
        if queues[recipient] != nil { due[recipient] = instant }
    }

    /// Returns the recipients whose receipts are due, in order.
    func dueRecipients(at now: MeshInstant) -> [Recipient] {
        due.recipients(until: now).sorted()
    }

    /// Takes the messages that one receipt names; the following ones rest for a moment.
    mutating func take(for recipient: Recipient, at now: MeshInstant) -> [MessageID] {
        for rested in resting.recipients(until: now) { resting[rested] = nil }
        resting[recipient] = now.advanced(by: ChatLimits.receiptDelay)
        let taken = Array((queues[recipient] ?? SortedSet()).prefix(ChatLimits.receiptCount))
        for turn in taken { dequeue(turn, for: recipient) }
        return taken.map(\.id)
    }

    /// Puts messages back whose receipt could not be sealed, for another try at a time.
    mutating func putBack(_ ids: [MessageID], for recipient: Recipient, until instant: MeshInstant) {
        for id in ids.reversed() {
            frontNumber -= 1
            enqueue(Turn(number: frontNumber, id: id), for: recipient)
        }
        due[recipient] = instant
    }

    /// Notes that a receipt was sent; returns the delivery proofs to send with it.
    mutating func finish(_ ids: [MessageID]) -> [[UInt8]] {
        ids.compactMap { id in
            let entry = entries[id]
            remove(id)
            return entry.flatMap { $0.deliveryProof.isEmpty ? nil : $0.deliveryProof }
        }
    }

    // MARK: - Storing

    /// Restores a stored record, whose receipt waits until it is scheduled; returns its message.
    mutating func restore(_ record: ProtoOwedRecord) -> MessageID? {
        guard let id = MessageID(bytes: record.message), let peer = PeerID(bytes: record.peer) else { return nil }
        entries[id] = Entry(peer: peer, group: GroupID(bytes: record.group), deliveryProof: [UInt8](record.preimage))
        return id
    }

    /// Returns the changed records and clears them: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoOwedRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [] }
        return changed.sorted().map { id in (id.bytes, entries[id].map { Self.record(of: $0, for: id) }) }
    }

    private static func record(of entry: Entry, for id: MessageID) -> ProtoOwedRecord {
        var record = ProtoOwedRecord()
        record.message = .bytes(id.bytes)
        record.peer = .bytes(entry.peer.bytes)
        record.preimage = .bytes(entry.deliveryProof)
        if let group = entry.group { record.group = .bytes(group.bytes) }
        return record
    }
}
