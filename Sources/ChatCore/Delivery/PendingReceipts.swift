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
    struct Recipient: Hashable, Comparable, Sendable {
        let peer: PeerID
        /// Whether they are for messages to groups.
        var isMember = false

        static func < (one: Recipient, other: Recipient) -> Bool {
            one.isMember == other.isMember ? one.peer < other.peer : other.isMember
        }
    }

    /// The name by which a receipt lists what has arrived.
    private enum Name: Hashable {
        /// One content.
        case message(MessageID)
        /// All contents of one session message or group message, by its release hash.
        case pack([UInt8])

        /// The name of its record.
        var bytes: [UInt8] {
            switch self {
            case .message(let id): id.bytes
            case .pack(let hash): hash
            }
        }
    }

    /// The receipt that one recipient is to get now.
    struct DueReceipt {
        /// The list of what has arrived.
        var receipt = MessageContent.Receipt()
        /// The delivery proofs to publish with it.
        var deliveryProofs: [DeliveryProof] = []
        /// The manner in which it goes along the trails of the posts with all that it names; nil if one may not.
        var carriage: ReceiptCarriage?
    }

    private struct Entry {
        let peer: PeerID
        let group: GroupID?
        /// The delivery proof that ends the message's envelope; nil if it was sent already.
        let deliveryProof: DeliveryProof?
        /// The manner in which the receipt goes along the trail of the message's post; nil if it may not.
        var carriage: ReceiptCarriage?
        /// The time until which a receipt for a group that may go along a trail waits for one.
        var waitsUntil: MeshInstant?
        /// The time for which it is collected with others.
        var delay = Duration.zero
        /// The number of contents that the receipt confirms.
        var contentCount = 1

        var recipient: Recipient { Recipient(peer: peer, isMember: group != nil) }
    }

    /// A name in the order in which the receipts of its recipient are sent.
    private struct Turn: Comparable {
        let number: Int64
        let name: Name

        static func < (one: Turn, other: Turn) -> Bool { one.number < other.number }

        static func == (one: Turn, other: Turn) -> Bool { one.number == other.number }
    }

    private var entries: [Name: Entry] = [:]
    /// The names whose receipts are sent when they are due; others wait for their files.
    private var queues: [Recipient: SortedSet<Turn>] = [:]
    private var queued: [Name: Turn] = [:]
    /// The number of contents in each queue.
    private var contentCounts: [Recipient: Int] = [:]
    /// The number of the last name that joined a queue.
    private var lastNumber: Int64 = 0
    private var due = Deadlines<Recipient>()
    /// The recipients whose receipts could not be sealed; a receipt that is added does not hasten the next try.
    private var unsealable: Set<Recipient> = []
    /// The recipients that were sent a receipt a moment ago, until the next one is sent.
    private var resting = Deadlines<Recipient>()
    /// The names whose present records the store does not have yet: whether it has no record of them at all.
    private var changed: [Name: Bool] = [:]

    /// The time at which the next receipt is due.
    var nextDeadline: MeshInstant { due.first ?? .distantFuture }

    /// Returns the recipient of a message's receipt; nil if no receipt is pending.
    func recipient(of id: MessageID) -> Recipient? { entries[.message(id)]?.recipient }

    // MARK: - Adding

    /// Adds a receipt: the first is sent soon, those of the next moment together, and a full one at once.
    ///
    /// - Parameters:
    ///   - deliveryProof: The delivery proof that ends the message's envelope; nil if it was sent already.
    ///   - carriage: The manner in which it goes along the trail of the message's post; nil if it may not.
    ///   - delay: The time for which it is collected with others.
    ///   - isAccepted: Whether the user talks to the peer; an unknown peer's receipt waits for that.
    mutating func add(
        _ id: MessageID,
        _ deliveryProof: DeliveryProof?,
        to peer: PeerID,
        in conversation: ConversationID,
        carriage: ReceiptCarriage? = nil,
        delay: Duration = .zero,
        isAccepted: Bool,
        at now: MeshInstant
    ) {
        let name = Name.message(id)
        guard queued[name] == nil else { return }
        var entry = Entry(peer: peer, group: conversation.group, deliveryProof: deliveryProof)
        (entry.carriage, entry.delay) = (carriage, delay)
        if carriage == .grouped {
            // Many members got the message in the same moment.
            entry.waitsUntil = now.advanced(by: ChatLimits.trailPatience * Double.random(in: 1...1.25))
        }
        put(entry, as: name)
        schedule(name, isAccepted: isAccepted, at: now)
    }

    /// Names a whole message in place of its contents, if the receipts of all of them wait for nothing else.
    ///
    /// - Parameter proofHash: The release hash of the message.
    mutating func join(
        _ ids: [MessageID],
        as proofHash: [UInt8],
        to recipient: Recipient,
        isAccepted: Bool,
        at now: MeshInstant
    ) {
        guard var entry = ids.first.flatMap({ entries[.message($0)] }), queued[.pack(proofHash)] == nil,
            ids.allSatisfy({ queued[.message($0)] != nil && entries[.message($0)]?.recipient == recipient })
        else { return }
        entry.carriage = Self.carriage(of: ids.map { entries[.message($0)]?.carriage })
        if entry.carriage != .grouped { entry.waitsUntil = nil }
        for id in ids { remove(id) }
        entry.contentCount = ids.count
        put(entry, as: .pack(proofHash))
        schedule(.pack(proofHash), isAccepted: isAccepted, at: now)
    }

    /// Returns the manner in which receipts go along a trail together; nil if one may not.
    private static func carriage(of all: [ReceiptCarriage?]) -> ReceiptCarriage? {
        all.contains(nil) ? nil : all.compactMap { $0 }.max()
    }

    private mutating func put(_ entry: Entry, as name: Name) {
        let isNew = entries.updateValue(entry, forKey: name) == nil
        changed[name] = changed[name] ?? isNew
    }

    /// Schedules a receipt; those for groups wait a little, because all members answer at once.
    mutating func schedule(_ id: MessageID, isAccepted: Bool, at now: MeshInstant) {
        schedule(.message(id), isAccepted: isAccepted, at: now)
    }

    private mutating func schedule(_ name: Name, isAccepted: Bool, at now: MeshInstant) {
        guard let entry = entries[name], case let recipient = entry.recipient else { return }
        if queued[name] == nil {
            lastNumber += 1
            let turn = Turn(number: lastNumber, name: name)
            queued[name] = turn
            queues[recipient, default: SortedSet()].insert(turn)
            contentCounts[recipient, default: 0] += entry.contentCount
        }
        guard recipient.isMember || isAccepted else { return }
        // A receipt that could not be sealed waits longer, however many there are.
        guard !unsealable.contains(recipient) else { return }
        let delayed = max(now.advanced(by: entry.delay), resting[recipient] ?? now)
        let isFull = contentCounts[recipient, default: 0] >= ChatLimits.promptReceiptCount
        due[recipient] = min(due[recipient] ?? delayed, isFull ? now : delayed)
    }

    private mutating func dequeue(_ turn: Turn, for recipient: Recipient) {
        queued[turn.name] = nil
        contentCounts[recipient, default: 0] -= entries[turn.name]?.contentCount ?? 0
        queues[recipient]?.remove(turn)
        guard queues[recipient]?.isEmpty == true else { return }
        queues[recipient] = nil
        contentCounts[recipient] = nil
        due[recipient] = nil
        unsealable.remove(recipient)
    }

    /// Suspends a receipt until it is scheduled again, for example for the files of its message.
    mutating func suspend(_ id: MessageID) { suspend(.message(id)) }

    private mutating func suspend(_ name: Name) {
        guard let recipient = entries[name]?.recipient, let turn = queued[name] else { return }
        dequeue(turn, for: recipient)
    }

    /// Forgets a receipt.
    mutating func remove(_ id: MessageID) { remove(.message(id)) }

    private mutating func remove(_ name: Name) {
        suspend(name)
        guard entries.removeValue(forKey: name) != nil else { return }
        changed[name] = changed[name] == true ? nil : false
    }

    /// Forgets the receipts for a peer.
    mutating func forget(_ peer: PeerID) {
        for turn in queues[Recipient(peer: peer)] ?? SortedSet() { remove(turn.name) }
    }

    // MARK: - Sending

    /// Schedules the receipts for a recipient for a time; nil keeps them until they are scheduled again.
    ///
    /// - Parameter isUnsealable: Whether they go no earlier, whatever is added, because nothing can be sealed until then.
    mutating func release(_ recipient: Recipient, at instant: MeshInstant?, isUnsealable: Bool = false) {
        guard queues[recipient] != nil else { return }
        due[recipient] = instant
        if isUnsealable { unsealable.insert(recipient) } else { unsealable.remove(recipient) }
    }

    /// Has all receipts for members of groups leave now, because the node stops.
    mutating func hastenMembers(to now: MeshInstant) {
        for recipient in due.keys(until: .distantFuture) where recipient.isMember { hasten(recipient, to: now) }
    }

    /// Has what waits for a recipient leave no later than at a time.
    mutating func hasten(_ recipient: Recipient, to instant: MeshInstant) {
        if let later = due[recipient], later > instant { due[recipient] = instant }
    }

    /// Returns the time until which all that waits for a recipient may wait for a way; nil if something may not.
    func endOfPatience(for recipient: Recipient) -> MeshInstant? {
        let ends = (queues[recipient] ?? SortedSet()).prefix(ChatLimits.receiptCount)
            .map { entries[$0.name]?.waitsUntil }
        return ends.contains(nil) ? nil : ends.compactMap { $0 }.min()
    }

    /// Returns the recipients whose receipts are due, in order.
    func dueRecipients(at now: MeshInstant) -> [Recipient] {
        due.keys(until: now).sorted()
    }

    /// Takes the next receipt; the following ones for the same recipient rest for a moment.
    mutating func take(for recipient: Recipient, at now: MeshInstant) -> DueReceipt {
        for rested in resting.keys(until: now) { resting[rested] = nil }
        unsealable.remove(recipient)
        resting[recipient] = now.advanced(by: ChatLimits.receiptDelay)
        var (due, carriages) = (DueReceipt(), [ReceiptCarriage?]())
        for turn in (queues[recipient] ?? SortedSet()).prefix(ChatLimits.receiptCount) {
            switch turn.name {
            case .message(let id): due.receipt.delivered.append(id)
            case .pack(let hash): due.receipt.packs.append(hash)
            }
            if let deliveryProof = entries[turn.name]?.deliveryProof { due.deliveryProofs.append(deliveryProof) }
            carriages.append(entries[turn.name]?.carriage)
            remove(turn.name)
        }
        due.carriage = Self.carriage(of: carriages)
        return due
    }

    // MARK: - Storing

    /// Restores a stored record, whose receipt waits until it is scheduled; returns its message, nil for a pack.
    ///
    /// - Parameter isAccepted: Returns whether the user talks to a peer.
    mutating func restore(
        _ record: ProtoOwedRecord,
        at now: MeshInstant,
        isAccepted: (PeerID) -> Bool
    ) -> MessageID? {
        guard let peer = PeerID(bytes: record.peer) else { return nil }
        let message = MessageID(bytes: record.message)
        guard let name = message.map(Name.message) ?? Self.pack(record.pack) else { return nil }
        entries[name] = Entry(
            peer: peer,
            group: GroupID(bytes: record.group),
            deliveryProof: DeliveryProof(bytes: record.preimage)
        )
        if message == nil { schedule(name, isAccepted: isAccepted(peer), at: now) }
        return message
    }

    private static func pack(_ hash: some Collection<UInt8>) -> Name? {
        hash.count == DeliveryProofHash.byteCount ? .pack(Array(hash)) : nil
    }

    /// Takes the changed records.
    mutating func takeChanges() -> [(name: [UInt8], change: RecordChange<ProtoOwedRecord>)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [:] }
        let changes = changed.map { name, isNew -> (name: [UInt8], change: RecordChange<ProtoOwedRecord>) in
            guard let entry = entries[name] else { return (name.bytes, .delete) }
            let record = Self.record(of: entry, for: name)
            return (name.bytes, isNew ? .insert(record) : .put(record))
        }
        return changes.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private static func record(of entry: Entry, for name: Name) -> ProtoOwedRecord {
        var record = ProtoOwedRecord()
        switch name {
        case .message(let id): record.message = .bytes(id.bytes)
        case .pack(let hash): record.pack = .bytes(hash)
        }
        record.peer = .bytes(entry.peer.bytes)
        record.preimage = .bytes(entry.deliveryProof?.bytes ?? [])
        if let group = entry.group { record.group = .bytes(group.bytes) }
        return record
    }
}
