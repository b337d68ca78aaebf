package import ChatCrypto
import MeshCore

/// The entries that are not confirmed yet: messages to contacts and groups, control messages, and this node's receipts.
///
/// Contents and envelopes stay in the store; the outbox holds only the facts that find and order them. The engine
/// spreads what ``takeSubmissions()`` returns and writes what ``takeChanges()`` names. Invariant: an entry is either
/// waiting (in the order it was written) or in flight (it has an envelope). Entries of groups never wait.
package struct Outbox: Sendable {
    package private(set) var entries: [MessageID: OutboxEntry] = [:]
    private var waiting: [PeerID: [MessageID]] = [:]
    private var inFlight: [PeerID: Int] = [:]
    private var byEnvelope: [EnvelopeID: MessageID] = [:]
    /// The entries by release hash: own receipts and control messages only, because a message's release tells its
    /// author nothing.
    private var byProofHash: [[UInt8]: MessageID] = [:]

    /// The number of messages that are not confirmed, without this node's own receipts and control messages.
    package private(set) var messageCount = 0

    /// The number of control messages for members of groups that were not released yet.
    package private(set) var controlCount = 0

    /// The envelopes to spread, in order.
    private var submissions: [SealedEnvelope] = []
    /// The changes of records that the store does not have yet.
    private var changed: [MessageID: RecordChange<ProtoOutboxRecord>] = [:]

    /// The number of the next entry.
    private var nextNumber: UInt64 = 1

    /// All entries in the order they were written.
    var inOrder: [OutboxEntry] { entries.values.sorted { $0.place < $1.place } }

    /// The peers with entries to seal, in order.
    var waitingPeers: [PeerID] { waiting.keys.sorted() }

    subscript(id: MessageID) -> OutboxEntry? { entries[id] }

    /// Returns the entries of a conversation, in the order they were written.
    func entries(in conversation: ConversationID) -> [OutboxEntry] {
        entries.values.filter { $0.conversation == conversation }.sorted { $0.place < $1.place }
    }

    func entry(envelope: EnvelopeID) -> OutboxEntry? {
        byEnvelope[envelope].flatMap { entries[$0] }
    }

    /// Returns the receipt or control message with this release hash.
    func receipt(proofHash: [UInt8]) -> OutboxEntry? {
        byProofHash[proofHash].flatMap { entries[$0] }
    }

    func inFlightCount(to peer: PeerID) -> Int {
        inFlight[peer] ?? 0
    }

    // MARK: - Adding

    /// Adds an entry that is sealed at its turn.
    mutating func enqueue(
        _ id: MessageID,
        _ content: [UInt8],
        to peer: PeerID,
        as kind: OutboxEntry.Kind,
        by generation: UInt32,
        at wall: UInt64
    ) {
        var record = record(for: id, in: .direct(peer), as: kind, by: generation, at: wall)
        record.content = .bytes(content)
        changed[id] = .put(record)
        add(OutboxEntry(id, in: .direct(peer), record))
    }

    /// Adds a sealed entry, and spreads its envelope.
    ///
    /// - Parameter generation: The identity that has sealed it; groups and rooms know the first only.
    mutating func transmit(
        _ id: MessageID,
        _ envelope: SealedEnvelope,
        in conversation: ConversationID,
        as kind: OutboxEntry.Kind = .message,
        by generation: UInt32 = 0,
        at wall: UInt64
    ) {
        var record = record(for: id, in: conversation, as: kind, by: generation, at: wall)
        record.seal(envelope, at: wall)
        changed[id] = .put(record)
        add(OutboxEntry(id, in: conversation, record))
        submissions.append(envelope)
    }

    /// Restores a stored record.
    ///
    /// - Parameter status: The status of its message.
    mutating func restore(_ record: ProtoOutboxRecord, in conversation: ConversationID, status: DeliveryStatus) {
        guard let id = MessageID(bytes: record.id) else { return }
        var entry = OutboxEntry(id, in: conversation, record)
        entry.status = status
        add(entry)
    }

    private func record(
        for id: MessageID,
        in conversation: ConversationID,
        as kind: OutboxEntry.Kind,
        by generation: UInt32,
        at wall: UInt64
    ) -> ProtoOutboxRecord {
        var record = ProtoOutboxRecord()
        record.id = .bytes(id.bytes)
        switch conversation {
        case .direct(let peer): record.peer = .bytes(peer.bytes)
        case .group(let group), .room(let group): record.group = .bytes(group.bytes)
        }
        record.generation = generation
        record.createdAt = wall
        record.number = nextNumber
        record.note = kind == .control
        record.receipt = kind == .receipt
        return record
    }

    private mutating func add(_ entry: OutboxEntry) {
        entries[entry.id] = entry
        nextNumber = max(nextNumber, entry.number + 1)
        if entry.isMessage { messageCount += 1 }
        if entry.isControl { controlCount += 1 }
        if let envelope = entry.envelope {
            index(entry, envelope)
        } else if let peer = entry.peer {
            waiting[peer, default: []].append(entry.id)
        }
    }

    // MARK: - Sealing and spreading

    /// Returns the first content that waits for a peer; empty if its message was deleted while it was in transit.
    mutating func firstWaiting(
        for peer: PeerID,
        in snapshot: some Snapshot
    ) throws -> (id: MessageID, content: [UInt8], generation: UInt32)? {
        while let id = waiting[peer]?.first {
            if let record = try record(of: id, in: snapshot) {
                return (id, [UInt8](record.content), record.generation)
            }
            remove(id)
        }
        return nil
    }

    /// Notes that an entry was sealed, and spreads its envelope.
    mutating func seal(
        _ id: MessageID,
        in envelope: SealedEnvelope,
        at wall: UInt64,
        in snapshot: some Snapshot
    ) throws {
        guard var record = try record(of: id, in: snapshot), var entry = entries[id] else { return }
        record.seal(envelope, at: wall)
        write(record, of: id)
        unindex(entry)
        entry.sealedAt = wall
        entry.envelope = envelope.id
        entry.proofHash = Array(envelope.body.prefix(16))
        entries[id] = entry
        index(entry, envelope.id)
        submissions.append(envelope)
    }

    /// Spreads an entry's envelope again: the same bytes, so the mesh spreads only what it has lost.
    mutating func resubmit(_ id: MessageID, at wall: UInt64, in snapshot: some Snapshot) throws {
        guard var record = try record(of: id, in: snapshot) else { return }
        if entries[id]?.conversation.group != nil {
            entries[id]?.sealedAt = wall
            entries[id]?.tries += 1
            record.sealedAt = wall
            record.tries = record.tries.bounded + 1
            write(record, of: id)
        }
        if let envelope = record.envelope { submissions.append(envelope) }
    }

    /// Removes the content of an entry and keeps the envelope, which this node cannot open.
    mutating func forgetContent(of id: MessageID, in snapshot: some Snapshot) throws {
        guard var record = try record(of: id, in: snapshot) else { return }
        record.content.removeAll()
        changed[id] = .erase(leaving: record)
    }

    /// Returns the stored record of an entry, with the changes that the store does not have yet.
    func record(of id: MessageID, in snapshot: some Snapshot) throws -> ProtoOutboxRecord? {
        guard entries[id] != nil else { return nil }
        return try changed[id]?.record ?? snapshot.message(.outbox, id.bytes, as: ProtoOutboxRecord.self)
    }

    private mutating func write(_ record: ProtoOutboxRecord, of id: MessageID) {
        if case .erase? = changed[id] { changed[id] = .erase(leaving: record) } else { changed[id] = .put(record) }
    }

    /// Returns the envelopes to spread, in order, and removes them.
    mutating func takeSubmissions() -> [SealedEnvelope] {
        defer { submissions = [] }
        return submissions
    }

    /// Returns the changed records and clears them.
    mutating func takeChanges() -> [(name: [UInt8], change: RecordChange<ProtoOutboxRecord>)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [:] }
        return changed.sorted { $0.key < $1.key }.map { ($0.key.bytes, $0.value) }
    }

    // MARK: - Progress

    /// Puts an entry that was in flight back among the waiting ones, before all that were written later.
    mutating func markWaiting(_ id: MessageID) {
        guard var entry = entries[id], entry.envelope != nil, let peer = entry.peer else { return }
        unindex(entry)
        entry.envelope = nil
        entries[id] = entry
        waiting[peer, default: []].append(id)
        let numbers = entries
        waiting[peer]?.sort { (numbers[$0]?.number ?? 0) < (numbers[$1]?.number ?? 0) }
    }

    /// Notes that the files of an entry were spread.
    mutating func markFilesSpread(_ id: MessageID, at wall: UInt64) {
        entries[id]?.filesSpreadAt = wall
    }

    /// Notes that the peer has requested a file of a message, so that the message need not be sealed again.
    package mutating func markOpened(_ id: MessageID) {
        entries[id]?.isOpened = true
    }

    /// Moves the status forward; false if the status was reached before.
    mutating func advance(_ id: MessageID, to status: DeliveryStatus) -> Bool {
        guard let entry = entries[id], entry.status.rank < status.rank else { return false }
        entries[id]?.status = status
        return true
    }

    /// Removes an entry and its record.
    mutating func remove(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        changed[id] = .delete
        if entry.isMessage { messageCount -= 1 }
        if entry.isControl { controlCount -= 1 }
        unindex(entry)
    }

    private mutating func index(_ entry: OutboxEntry, _ envelope: EnvelopeID) {
        byEnvelope[envelope] = entry.id
        if !entry.isMessage { byProofHash[entry.proofHash] = entry.id }
        if let peer = entry.peer { inFlight[peer, default: 0] += 1 }
    }

    private mutating func unindex(_ entry: OutboxEntry) {
        if let envelope = entry.envelope {
            byEnvelope[envelope] = nil
            if !entry.isMessage { byProofHash[entry.proofHash] = nil }
            guard let peer = entry.peer, let count = inFlight[peer] else { return }
            inFlight[peer] = count > 1 ? count - 1 : nil
        } else if let peer = entry.peer {
            if let index = waiting[peer]?.firstIndex(of: entry.id) { waiting[peer]?.remove(at: index) }
            if waiting[peer]?.isEmpty == true { waiting[peer] = nil }
        }
    }
}
