package import ChatCore
package import ChatHistory
import MeshCore

/// The core's reads from a record store and a folder of blobs.
package struct StoreSnapshot: Snapshot {
    private let recordStore: RecordStore
    private let blobs: BlobFolder

    /// Makes a snapshot of both.
    package init(recordStore: RecordStore, blobs: BlobFolder) {
        self.recordStore = recordStore
        self.blobs = blobs
    }

    package func row(_ table: Table, _ name: [UInt8]) throws -> StoredRow? {
        try recordStore.get(table.stored, name: name).map(StoredRow.init)
    }

    package func rows(_ table: Table) throws -> [[UInt8]] { try recordStore.all(table.stored).map(\.plaintext) }

    package func messages(
        of conversation: ConversationID,
        before position: UInt64?,
        limit: Int
    ) throws -> [StoredRow] {
        let before = position.map { RowPosition(sequence: $0, id: .zero) }
        let row = recordStore.rowID(of: conversation)
        return try recordStore.page(.messages, conversation: row, before: before, limit: limit).map(StoredRow.init)
    }

    package func messages(
        of conversation: ConversationID,
        from position: UInt64,
        limit: Int
    ) throws -> [StoredRow] {
        let after = RowPosition(sequence: position, id: .zero)
        let row = recordStore.rowID(of: conversation)
        return try recordStore.page(.messages, conversation: row, after: after, limit: limit).map(StoredRow.init)
    }

    package func highestPosition(of conversation: ConversationID) throws -> UInt64 {
        try recordStore.highestSequence(.messages, conversation: recordStore.rowID(of: conversation)) ?? 0
    }

    package func messageCount(of conversation: ConversationID, before position: UInt64?) throws -> Int {
        let before = position.map { RowPosition(sequence: $0) }
        return try recordStore.count(.messages, conversation: recordStore.rowID(of: conversation), before: before)
    }

    package func prefix(ofBlob file: String, count: Int) -> [UInt8] { blobs.prefix(file, count: count) }
}

extension ChatStep {
    /// Begins steps over a record store and a folder of blobs.
    package init(recordStore: RecordStore, blobs: BlobFolder, time: ChatTime, recent: RecentWrites = RecentWrites()) {
        self.init(StoreSnapshot(recordStore: recordStore, blobs: blobs), time: time, recent: recent)
    }

    /// Makes the steps durable.
    ///
    /// Bytes of blobs come first, so that no record counts bytes that are not on the disk. Deletions of files come
    /// last, so that a crash leaves a file without a record and never the opposite.
    package func apply(to recordStore: RecordStore, _ blobs: BlobFolder) throws(StoreError) {
        try blobs.write(blobWrites.map { BlobFolder.Write(file: $0.file, offset: $0.offset, bytes: $0.bytes) })
        for conversation in destroyed { try recordStore.deleteConversation(recordStore.rowID(of: conversation)) }
        try recordStore.apply(RecordBatch(changes, in: recordStore))
        for file in blobDeletions { blobs.delete(file) }
    }
}

extension RecordBatch {
    fileprivate init(_ changes: [ChatStep.Change], in recordStore: RecordStore) {
        self.init()
        for change in changes {
            let table = change.name.table.stored
            switch change.write {
            case .put(let conversation, let sequence, let plaintext):
                if change.erasesEarlier { delete(table, name: change.name.bytes) }
                put(
                    table,
                    name: change.name.bytes,
                    conversation: conversation.map { recordStore.rowID(of: $0) } ?? .zero,
                    sequence: sequence,
                    plaintext: plaintext
                )
            case .delete: delete(table, name: change.name.bytes)
            }
        }
    }
}

extension RecordStore {
    /// Returns the row id under which a conversation's messages are stored.
    package func rowID(of conversation: ConversationID) -> RowID { rowID(.conversations, name: conversation.bytes) }

    /// Destroys the remains of conversations whose erasure a crash has cut off.
    package func finishErasures() throws {
        let step = ChatStep(recordStore: self, blobs: BlobFolder(), time: ChatTime(wall: 0, monotonic: .zero))
        for conversation in try ChatEngine.interruptedErasures(in: step) {
            try deleteConversation(rowID(of: conversation))
        }
    }
}

extension StoredRow {
    fileprivate init(_ record: Record) { self.init(sequence: record.sequence, plaintext: record.plaintext) }
}

extension Table {
    /// The store's table of the same records.
    package var stored: RecordTable {
        switch self {
        case .identity: .identity
        case .contacts: .contacts
        case .bundles: .bundles
        case .sessions: .sessions
        case .outbox: .outbox
        case .pendingReceipts: .pendingReceipts
        case .messages: .messages
        case .conversations: .conversations
        case .settings: .settings
        case .reorderBuffer: .reorderBuffer
        case .blobs: .blobs
        case .groups: .groups
        case .pendingChanges: .pendingChanges
        case .timers: .timers
        case .pulls: .pulls
        case .answers: .answers
        case .conversationSettings: .conversationSettings
        case .rooms: .rooms
        case .roomList: .roomList
        }
    }
}
