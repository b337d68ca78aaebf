import Bytes
package import ChatCrypto
import MeshCore

/// The contents that are not confirmed yet: messages to contacts and groups, control messages, and this node's receipts.
///
/// Contents and envelopes stay in the store; the outbox holds only the facts that find and order them. The engine seals
/// for the groups and peers that ``takeDueGroups()`` and ``takeDuePeers()`` name and writes what ``takeChanges()``
/// names. Invariant: an entry either waits in its queue or is sealed in a
/// pack; it is named by exactly one record, that of its pack or its own. Source: PROTOCOL §8, packs.
package struct Outbox: Sendable {
    package private(set) var entries: [MessageID: OutboxEntry] = [:]
    private var waiting: [ConversationID: [OutboxEntry.Queue: SortedSet<OutboxEntry.Place>]] = [:]
    private(set) var packs: [EnvelopeID: OutboxPack] = [:]
    private var byProofHash: [[UInt8]: EnvelopeID] = [:]
    private var inFlight: [ConversationID: Int] = [:]
    /// The conversations whose waiting contents are sealed when the batch ends.
    private var due: Set<ConversationID> = []

    /// The number of messages that are not confirmed, without this node's own receipts and control messages.
    package private(set) var messageCount = 0

    /// The number of control messages for members of groups that were not released yet.
    package private(set) var controlCount = 0

    /// The changes of records that the store does not have yet.
    private var changed: [OutboxEntry.Row: RecordChange<ProtoOutboxRecord>] = [:]
    /// The packs that have lost contents since their records were written.
    private var reduced: Set<EnvelopeID> = []

    /// The number of the next entry.
    private var nextNumber: UInt64 = 1

    /// All entries in the order they were written.
    var inOrder: [OutboxEntry] { entries.values.sorted { ($0.number, $0.id) < ($1.number, $1.id) } }

    /// All envelopes that count, in the order of their first contents.
    var packsInOrder: [OutboxPack] {
        let first = { (pack: OutboxPack) in pack.contents.first.flatMap { entries[$0]?.number } ?? 0 }
        return packs.values.filter { !$0.isRetired }.sorted { (first($0), $0.id) < (first($1), $1.id) }
    }

    /// The conversations with entries to seal, in order.
    var waitingConversations: [ConversationID] { Self.inOrder(waiting.keys) }

    subscript(id: MessageID) -> OutboxEntry? { entries[id] }

    /// Returns the entries of a conversation, in the order they were written.
    func entries(in conversation: ConversationID) -> [OutboxEntry] {
        entries.values.filter { $0.conversation == conversation }.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
    }

    /// Returns the pack of an envelope; nil if the envelope counts no longer.
    func pack(of envelope: EnvelopeID) -> OutboxPack? {
        packs[envelope].flatMap { $0.isRetired ? nil : $0 }
    }

    /// Returns the pack with this release hash.
    func pack(proofHash: [UInt8]) -> OutboxPack? { byProofHash[proofHash].flatMap { packs[$0] } }

    /// Returns the envelopes of a conversation that count, in order.
    func packs(in conversation: ConversationID) -> [OutboxPack] {
        packs.values.filter { $0.conversation == conversation && !$0.isRetired }
            .sorted { ($0.sealedAt, $0.id) < ($1.sealedAt, $1.id) }
    }

    /// Returns whether envelopes of a conversation are not confirmed.
    func isUnconfirmed(_ conversation: ConversationID) -> Bool { inFlight[conversation] != nil }

    /// Returns the number of envelopes to a peer that are not confirmed.
    func inFlightCount(to peer: PeerID) -> Int { inFlight[.direct(peer)] ?? 0 }

    // MARK: - Adding

    /// Adds a content, which waits to be sealed.
    mutating func enqueue(
        _ id: MessageID,
        _ content: [UInt8],
        in conversation: ConversationID,
        as kind: OutboxEntry.Kind,
        by generation: UInt32 = 0,
        at wall: UInt64
    ) {
        let entry = OutboxEntry(id, in: conversation, as: kind, number: nextNumber, by: generation, at: wall)
        var record = Self.record(in: conversation, by: generation)
        record.contents = [entry.encoded(content)]
        changed[entry.row] = .insert(record)
        add(entry)
        markDue(conversation)
    }

    /// Restores a stored record.
    ///
    /// - Parameter status: Returns the status of a message.
    mutating func restore(
        _ record: ProtoOutboxRecord,
        in conversation: ConversationID,
        status: (MessageID) throws -> DeliveryStatus
    ) rethrows {
        let envelope = record.envelope
        for content in record.contents {
            guard var entry = OutboxEntry(content, in: conversation, by: record.generation) else { continue }
            entry.status = try status(entry.id)
            if let envelope { (entry.row, entry.envelope) = (.pack(envelope.id), envelope.id) }
            add(entry)
        }
        let contents = record.contents.compactMap { MessageID(bytes: $0.id) }
        guard let envelope, !contents.isEmpty else { return }
        add(envelope, contents, in: conversation, by: record.generation, at: record.sealedAt.bounded)
        packs[envelope.id]?.tries = record.tries.bounded
    }

    private static func record(in conversation: ConversationID, by generation: UInt32) -> ProtoOutboxRecord {
        var record = ProtoOutboxRecord()
        switch conversation {
        case .direct(let peer): record.peer = .bytes(peer.bytes)
        case .group(let group), .room(let group): record.group = .bytes(group.bytes)
        }
        record.generation = generation
        return record
    }

    private mutating func add(_ entry: OutboxEntry) {
        entries[entry.id] = entry
        nextNumber = max(nextNumber, entry.number + 1)
        if entry.isMessage { messageCount += 1 }
        if entry.isControl { controlCount += 1 }
        if entry.envelope == nil { wait(entry) }
    }

    private mutating func wait(_ entry: OutboxEntry) {
        waiting[entry.conversation, default: [:]][entry.queue, default: SortedSet()].insert(entry.place)
    }

    private mutating func stopWaiting(_ entry: OutboxEntry) {
        waiting[entry.conversation]?[entry.queue]?.remove(entry.place)
        guard waiting[entry.conversation]?[entry.queue]?.isEmpty == true else { return }
        waiting[entry.conversation]?[entry.queue] = nil
        if waiting[entry.conversation]?.isEmpty == true { waiting[entry.conversation] = nil }
    }

    private mutating func add(
        _ envelope: SealedEnvelope,
        _ contents: [MessageID],
        in conversation: ConversationID,
        by generation: UInt32,
        at wall: UInt64
    ) {
        let pack = OutboxPack(
            id: envelope.id,
            conversation: conversation,
            generation: generation,
            proofHash: Array(envelope.body.prefix(DeliveryProofHash.byteCount)),
            deliveryProof: envelope.deliveryProof,
            contents: contents,
            sealedAt: wall
        )
        packs[pack.id] = pack
        byProofHash[pack.proofHash] = pack.id
        inFlight[conversation, default: 0] += 1
    }

    // MARK: - Sealing

    /// Notes that the waiting contents of a conversation may be sealed.
    mutating func markDue(_ conversation: ConversationID) { due.insert(conversation) }

    /// Whether conversations are to be sealed.
    var hasDue: Bool { !due.isEmpty }

    /// Takes the groups and rooms to seal for, in order.
    mutating func takeDueGroups() -> [GroupID] {
        let groups = due.filter { $0.group != nil }
        due.subtract(groups)
        return Self.inOrder(groups).compactMap(\.group)
    }

    /// Takes the peers to seal for, in order.
    mutating func takeDuePeers() -> [PeerID] {
        let taken = due.compactMap { conversation -> PeerID? in
            if case .direct(let peer) = conversation { peer } else { nil }
        }
        due = due.filter { $0.group != nil }
        return taken.sorted()
    }

    private static func inOrder(_ conversations: some Sequence<ConversationID>) -> [ConversationID] {
        conversations.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Returns the queues of a conversation, control messages first.
    func queues(in conversation: ConversationID) -> [OutboxEntry.Queue] {
        (waiting[conversation] ?? [:]).keys.sorted {
            ($0.isControl ? 0 : 1, $0.generation) < ($1.isControl ? 0 : 1, $1.generation)
        }
    }

    /// Returns the contents that travel in the next message, in order; none if nothing waits.
    ///
    /// - Parameters:
    ///   - byteCount: The size of all items together; the first content is returned whatever its size.
    ///   - receiptsOnly: Whether too many envelopes are in flight for anything but receipts.
    mutating func nextPack(
        in queue: OutboxEntry.Queue,
        byteCount: Int,
        receiptsOnly: Bool = false,
        in snapshot: some Snapshot
    ) throws -> [(id: MessageID, content: [UInt8])] {
        var (pack, rest): ([(id: MessageID, content: [UInt8])], Int) = ([], byteCount)
        var rows: [OutboxEntry.Row: ProtoOutboxRecord] = [:]
        var missing: [MessageID] = []
        for place in waiting[queue.conversation]?[queue] ?? SortedSet() {
            guard pack.count < queue.maximumCount, let entry = entries[place.id],
                !receiptsOnly || entry.kind == .receipt
            else { break }
            let record = try rows[entry.row] ?? record(in: entry.row, snapshot)
            rows[entry.row] = record
            guard let stored = record?.contents.first(where: { $0.id.elementsEqual(place.id.bytes) }) else {
                missing.append(place.id)
                continue
            }
            let content = [UInt8](stored.content)
            rest -= MessageItems.byteCount(of: content)
            guard rest >= 0 || pack.isEmpty else { break }
            pack.append((place.id, content))
        }
        for id in missing { remove(id) }
        return pack
    }

    /// Notes that contents were sealed.
    mutating func seal(
        _ pack: [(id: MessageID, content: [UInt8])],
        in envelope: SealedEnvelope,
        of queue: OutboxEntry.Queue,
        at wall: UInt64
    ) {
        var record = Self.record(in: queue.conversation, by: queue.generation)
        record.seal(envelope, at: wall)
        for (id, content) in pack {
            guard var entry = entries[id] else { continue }
            record.contents.append(entry.encoded(content))
            stopWaiting(entry)
            leave(entry.row, id)
            (entry.row, entry.envelope) = (.pack(envelope.id), envelope.id)
            entries[id] = entry
        }
        changed[.pack(envelope.id)] = .insert(record)
        add(envelope, pack.map(\.id), in: queue.conversation, by: queue.generation, at: wall)
    }

    /// Returns the envelope of a pack to post it again: the same bytes, so the mesh spreads only what it has lost.
    mutating func envelopeToRepeat(
        of pack: OutboxPack,
        at wall: UInt64,
        in snapshot: some Snapshot
    ) throws -> SealedEnvelope? {
        guard var record = try record(in: .pack(pack.id), snapshot) else { return nil }
        if pack.conversation.group != nil {
            packs[pack.id]?.sealedAt = wall
            packs[pack.id]?.tries += 1
            record.sealedAt = wall
            record.tries = record.tries.bounded + 1
            write(record, in: .pack(pack.id))
        }
        return record.envelope
    }

    /// Returns the envelope of a pack.
    func envelope(of pack: OutboxPack, in snapshot: some Snapshot) throws -> SealedEnvelope? {
        try record(in: .pack(pack.id), snapshot)?.envelope
    }

    /// Puts the contents of an envelope back among the waiting ones, before all that were written later.
    mutating func unseal(_ pack: OutboxPack) {
        guard self.pack(of: pack.id) != nil else { return }
        packs[pack.id]?.isRetired = true
        unindex(pack)
        for id in pack.contents {
            guard var entry = entries[id] else { continue }
            entry.envelope = nil
            entries[id] = entry
            wait(entry)
        }
    }

    // MARK: - Records

    /// Returns the content of an entry; nil if there is no such entry.
    func content(of id: MessageID, in snapshot: some Snapshot) throws -> [UInt8]? {
        guard let entry = entries[id] else { return nil }
        let stored = try record(in: entry.row, snapshot)?.contents.first { $0.id.elementsEqual(id.bytes) }
        return stored.map { [UInt8]($0.content) }
    }

    /// Removes the content of an entry and keeps the envelope, which this node cannot open.
    mutating func forgetContent(of id: MessageID, in snapshot: some Snapshot) throws {
        guard let entry = entries[id], var record = try record(in: entry.row, snapshot) else { return }
        for index in record.contents.indices where record.contents[index].id.elementsEqual(id.bytes) {
            record.contents[index].content.removeAll()
        }
        changed[entry.row] = .erase(leaving: record)
    }

    /// Returns a record with the changes that the store does not have yet.
    private func record(in row: OutboxEntry.Row, _ snapshot: some Snapshot) throws -> ProtoOutboxRecord? {
        if let change = changed[row] { return change.record }
        return try snapshot.message(.outbox, row.name, as: ProtoOutboxRecord.self)
    }

    private mutating func write(_ record: ProtoOutboxRecord, in row: OutboxEntry.Row) {
        switch changed[row] {
        case .insert: changed[row] = .insert(record)
        case .erase: changed[row] = .erase(leaving: record)
        case .put, .delete, nil: changed[row] = .put(record)
        }
    }

    /// The number of records that will be written for contents that packs have lost.
    package var reducedCount: Int { reduced.count }

    /// Removes the contents that packs have lost from their records.
    mutating func reduceRecords(in snapshot: some Snapshot) throws {
        for id in reduced.sorted() {
            guard let pack = packs[id], var record = try record(in: .pack(id), snapshot) else { continue }
            let rest = Set(pack.contents.map(\.bytes))
            record.contents.removeAll { !rest.contains([UInt8]($0.id)) }
            write(record, in: .pack(id))
        }
        reduced = []
    }

    /// Takes the changed records.
    mutating func takeChanges() -> [(name: [UInt8], change: RecordChange<ProtoOutboxRecord>)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [:] }
        return changed.map { ($0.key.name, $0.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    // MARK: - Progress

    /// Notes that the files of an entry were spread.
    mutating func markFilesSpread(_ id: MessageID, at wall: UInt64) { entries[id]?.filesSpreadAt = wall }

    /// Notes that the peer has requested a file of a message, so that the message need not be sealed again.
    package mutating func markOpened(_ id: MessageID) { entries[id]?.isOpened = true }

    /// Moves the status forward; false if the status was reached before.
    mutating func advance(_ id: MessageID, to status: DeliveryStatus) -> Bool {
        guard let entry = entries[id], entry.status.rank < status.rank else { return false }
        entries[id]?.status = status
        return true
    }

    /// Removes an entry, and the record of its pack with the last of its contents.
    mutating func remove(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if entry.isMessage { messageCount -= 1 }
        if entry.isControl { controlCount -= 1 }
        if entry.envelope == nil { stopWaiting(entry) }
        leave(entry.row, id)
    }

    /// Removes a content from its record.
    private mutating func leave(_ row: OutboxEntry.Row, _ id: MessageID) {
        guard case .pack(let name) = row else { return delete(row) }
        // Contents are confirmed in their order, so the first is most often the one.
        if let place = packs[name]?.contents.firstIndex(of: id) { packs[name]?.contents.remove(at: place) }
        guard let pack = packs[name], pack.contents.isEmpty else {
            reduced.insert(name)
            return
        }
        if !pack.isRetired { unindex(pack) }
        packs[name] = nil
        reduced.remove(name)
        delete(row)
    }

    private mutating func delete(_ row: OutboxEntry.Row) {
        if case .insert? = changed[row] { changed[row] = nil } else { changed[row] = .delete }
    }

    private mutating func unindex(_ pack: OutboxPack) {
        byProofHash[pack.proofHash] = nil
        guard let count = inFlight[pack.conversation] else { return }
        inFlight[pack.conversation] = count > 1 ? count - 1 : nil
    }
}
