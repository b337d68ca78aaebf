import ChatHistory
import Earshot

/// A history in the form that a node stores: SQLite, records sealed under the key of their conversation, sums over
/// all rows, an anchor.
final class SealedDatabase {
    let recordStore: RecordStore
    private let store: SQLiteStore

    init(directory: String) throws {
        store = try SQLiteStore(directory: directory)
        let key = [UInt8](repeating: 7, count: 32)
        guard let keys = RecordSeals(masterKey: key, databaseID: store.databaseID) else {
            throw BenchFailure("32 bytes are a master key")
        }
        recordStore = RecordStore(store: store, keys: keys)
        if try !recordStore.startWatching(anchor: AnchorFile(directory: directory)) {
            try recordStore.takeOver(isMissing: false)
        }
    }

    /// Writes messages in one batch.
    func insert(_ messages: [(name: [UInt8], sequence: UInt64, content: [UInt8])], in conversation: RowID) throws {
        var batch = RecordBatch()
        for message in messages {
            batch.put(
                .messages,
                name: message.name,
                conversation: conversation,
                sequence: message.sequence,
                plaintext: message.content
            )
        }
        try recordStore.apply(batch)
    }

    func close() throws { try store.close() }
}
