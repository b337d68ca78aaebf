import ChatCrypto
import MeshCore
package import SwiftProtobuf

/// The reads and writes of the engine's steps, and the effects that follow once the writes are durable.
///
/// Reads see the writes of these steps. Nothing reaches the store before `apply`, as a whole, and no effect is carried
/// out before that: no packet is sent, and no text is shown, on a state that a crash could revert.
package struct ChatStep {
    private let snapshot: any Snapshot
    /// The bytes to write into the files of blobs, before any record.
    package private(set) var blobWrites: [BlobWrite] = []
    /// The files of blobs to delete, after all records.
    package private(set) var blobDeletions: [String] = []
    private var writes: [RowName: RecordWrite] = [:]
    private var recent: RecentWrites
    private var order: [RowName] = []
    /// The records that the store did not have before these steps.
    private var inserted: Set<RowName> = []
    /// The records whose earlier content the store's log has to lose too.
    private var erased: Set<RowName> = []
    /// The records that were inserted and deleted in these steps; they have a place in `order`.
    private var withdrawn: Set<RowName> = []
    /// The conversations to destroy, keys and rows, before any record.
    package private(set) var destroyed: [ConversationID] = []

    /// The number of writes and effects of all steps, including those that replaced an earlier one.
    package private(set) var changeCount = 0
    /// The size of all writes, including those that were replaced since.
    ///
    /// Units: bytes.
    package private(set) var byteCount = 0
    /// The amount that had been written at the start of the present step.
    private var stepStart = (writeCount: 0, byteCount: 0)

    /// The time of the present step.
    package private(set) var time: ChatTime
    package private(set) var effects: [ChatEffect] = []

    /// The step of an engine between two steps: it allows no reads.
    static var closed: ChatStep { ChatStep(ClosedSnapshot(), time: ChatTime(wall: 0, monotonic: .zero)) }

    package init(_ snapshot: any Snapshot, time: ChatTime, recent: RecentWrites = RecentWrites()) {
        self.recent = recent
        self.snapshot = snapshot
        self.time = time
    }

    /// Begins another step on the result of those before.
    package mutating func begin(at time: ChatTime) {
        self.time = time
        stepStart = (writeCount, byteCount)
    }

    /// The number of rows to write or delete.
    package var writeCount: Int { order.count - withdrawn.count }

    /// The messages that these steps write or delete.
    package var touchedMessages: [RowName] { order.filter { $0.table == .messages } }

    /// One record to write or delete.
    package struct Change: Sendable {
        /// The record's name.
        package let name: RowName
        /// The new content.
        package let write: RecordWrite
        /// Whether the store's log has to lose the earlier content.
        package let erasesEarlier: Bool
    }

    /// All changes of records, in the order in which the records were first touched.
    package var changes: [Change] {
        order.compactMap { name in
            writes[name].map { Change(name: name, write: $0, erasesEarlier: erased.contains(name)) }
        }
    }

    /// Whether the step has written so much that the next step should do the rest.
    package var isFull: Bool {
        writeCount - stepStart.writeCount >= ChatLimits.stepWriteCount
            || byteCount - stepStart.byteCount >= ChatLimits.batchByteCount
    }

    package mutating func perform(_ effect: ChatEffect) {
        effects.append(effect)
        changeCount += 1
    }

    /// Decodes a stored record.
    ///
    /// - Throws: `homeCorrupt` for bytes that are no such record: an unreadable record is never treated as absent.
    package static func decode<Record: SwiftProtobuf.Message>(
        _ plaintext: [UInt8],
        as type: Record.Type
    ) throws -> Record {
        do {
            return try Record(serializedBytes: plaintext)
        } catch {
            throw ChatError(.homeCorrupt, "A stored record cannot be read. \(ChatError.rescue)")
        }
    }

    package mutating func put(
        _ table: Table,
        _ name: [UInt8],
        conversation: ConversationID? = nil,
        sequence: UInt64 = 0,
        _ plaintext: [UInt8]
    ) {
        note(.put(conversation: conversation, sequence: sequence, plaintext: plaintext), RowName(table, name))
    }

    package mutating func put(
        _ table: Table,
        _ name: [UInt8],
        conversation: ConversationID? = nil,
        sequence: UInt64 = 0,
        _ record: some SwiftProtobuf.Message
    ) {
        // Encoding fails only for missing required fields, which proto3 does not have.
        guard let bytes = try? record.serializedBytes() as [UInt8] else { return }
        put(table, name, conversation: conversation, sequence: sequence, bytes)
    }

    /// Writes a record that the store does not have; if a later step of the batch deletes it, nothing of it is written.
    mutating func insert(_ table: Table, _ name: [UInt8], _ record: some SwiftProtobuf.Message) {
        inserted.insert(RowName(table, name))
        put(table, name, record)
    }

    /// Writes a record in place of one whose content must not be found again, not in the store's log either.
    mutating func erase(
        _ table: Table,
        _ name: [UInt8],
        conversation: ConversationID?,
        sequence: UInt64,
        leaving record: some SwiftProtobuf.Message
    ) {
        erased.insert(RowName(table, name))
        put(table, name, conversation: conversation, sequence: sequence, record)
    }

    package mutating func delete(_ table: Table, _ name: [UInt8]) {
        let name = RowName(table, name)
        guard inserted.remove(name) == nil else { return withdraw(name) }
        note(.delete, name)
    }

    /// Forgets the write of a record that the store does not have.
    private mutating func withdraw(_ name: RowName) {
        changeCount += 1
        writes[name] = nil
        withdrawn.insert(name)
    }

    /// Writes bytes of a blob.
    mutating func write(_ bytes: [UInt8], at offset: UInt64, ofBlob file: String) {
        blobWrites.append(BlobWrite(file: file, offset: offset, bytes: bytes))
        changeCount += 1
        byteCount += bytes.count
    }

    /// Deletes a blob's file.
    mutating func deleteBlob(_ file: String) {
        blobDeletions.append(file)
        changeCount += 1
    }

    /// Destroys the key and all messages of a conversation.
    mutating func destroyConversation(_ conversation: ConversationID) {
        destroyed.append(conversation)
        changeCount += 1
        // The writes of earlier steps are dropped too; the destruction comes before all writes.
        for (key, write) in writes {
            if case .put(.some(conversation), _, _) = write { writes[key] = nil }
        }
        order.removeAll { writes[$0] == nil }
        withdrawn = []
        recent = RecentWrites()
    }

    /// Returns the remembered last writes, including those of these steps, and removes them.
    package mutating func takeRecent() -> RecentWrites {
        // Moved out, so that it is not copied.
        var taken = recent
        recent = RecentWrites()
        taken.add(writes)
        return taken
    }

    private mutating func note(_ write: RecordWrite, _ key: RowName) {
        changeCount += 1
        if case .put(_, _, let plaintext) = write { byteCount += plaintext.count }
        if writes.updateValue(write, forKey: key) == nil, withdrawn.remove(key) == nil { order.append(key) }
    }
}

/// Reads of the store as these steps leave it; positions, counts and whole tables are as they were before them.
extension ChatStep: Snapshot {
    package func row(_ table: Table, _ name: [UInt8]) throws -> StoredRow? {
        let record = RowName(table, name)
        switch writes[record] ?? recent[record] {
        case .put(_, let sequence, let plaintext): return StoredRow(sequence: sequence, plaintext: plaintext)
        case .delete: return nil
        case nil: return try snapshot.row(table, name)
        }
    }

    package func rows(_ table: Table) throws -> [[UInt8]] { try snapshot.rows(table) }

    package func messages(
        of conversation: ConversationID,
        before position: UInt64?,
        limit: Int
    ) throws -> [StoredRow] {
        guard limit > 0 else { return [] }
        var stored: [StoredRow] = []
        if !destroyed.contains(conversation) {
            stored = try snapshot.messages(of: conversation, before: position, limit: limit)
        }
        return merged(stored, of: conversation, limit: limit, by: >) { $0 < position ?? .max }
    }

    package func messages(of conversation: ConversationID, from position: UInt64, limit: Int) throws -> [StoredRow] {
        guard limit > 0 else { return [] }
        var stored: [StoredRow] = []
        if !destroyed.contains(conversation) {
            stored = try snapshot.messages(of: conversation, from: position, limit: limit)
        }
        return merged(stored, of: conversation, limit: limit, by: <) { $0 >= position }
    }

    /// Returns a page as these steps leave it.
    private func merged(
        _ stored: [StoredRow],
        of conversation: ConversationID,
        limit: Int,
        by comesFirst: (UInt64, UInt64) -> Bool,
        where isWanted: (UInt64) -> Bool
    ) -> [StoredRow] {
        let written = writes.values.compactMap { write -> StoredRow? in
            guard case .put(.some(conversation), let sequence, let plaintext) = write, isWanted(sequence) else {
                return nil
            }
            return StoredRow(sequence: sequence, plaintext: plaintext)
        }
        guard !written.isEmpty else { return stored }
        let replaced = Set(written.map(\.sequence))
        let page = stored.filter { !replaced.contains($0.sequence) } + written
        return Array(page.sorted { comesFirst($0.sequence, $1.sequence) }.prefix(limit))
    }

    package func highestPosition(of conversation: ConversationID) throws -> UInt64 {
        try snapshot.highestPosition(of: conversation)
    }

    package func messageCount(of conversation: ConversationID, before position: UInt64?) throws -> Int {
        try snapshot.messageCount(of: conversation, before: position)
    }

    /// Returns the first bytes of a blob's file with those that these steps write, and zeros where there are none.
    package func prefix(ofBlob file: String, count: Int) -> [UInt8] {
        var bytes = snapshot.prefix(ofBlob: file, count: count)
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
        for write in blobWrites where write.file == file {
            let place = Int(write.offset)
            bytes.replaceSubrange(place..<(place + write.bytes.count), with: write.bytes)
        }
        return bytes
    }
}

/// Bytes for a blob's file.
package struct BlobWrite: Sendable {
    /// The file's name.
    package let file: String
    /// The offset of the bytes in the file.
    ///
    /// Units: bytes.
    package let offset: UInt64
    /// The bytes.
    package let bytes: [UInt8]
}

/// A store that refuses every read, for engines between two steps.
private struct ClosedSnapshot: Snapshot {
    private static let closed = ChatError(.stopped, "The engine reads nothing between two steps.")

    func row(_ table: Table, _ name: [UInt8]) throws -> StoredRow? { throw Self.closed }

    func rows(_ table: Table) throws -> [[UInt8]] { throw Self.closed }

    func messages(of conversation: ConversationID, before position: UInt64?, limit: Int) throws -> [StoredRow] {
        throw Self.closed
    }

    func messages(of conversation: ConversationID, from position: UInt64, limit: Int) throws -> [StoredRow] {
        throw Self.closed
    }

    func highestPosition(of conversation: ConversationID) throws -> UInt64 { throw Self.closed }

    func messageCount(of conversation: ConversationID, before position: UInt64?) throws -> Int { throw Self.closed }

    func prefix(ofBlob file: String, count: Int) -> [UInt8] { [] }
}
