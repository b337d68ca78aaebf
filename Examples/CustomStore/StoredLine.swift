import ChatHistory
import Foundation

/// One line of the file: the first holds the id of the store, each other one a batch of changes.
enum StoredLine: Codable {
    case store(id: Data)
    case batch([StoredChange])
}

/// A change in its JSON form.
enum StoredChange: Codable {
    case put(table: UInt8, id: Data, conversation: Data, sequence: UInt64, version: UInt32, sealed: Data)
    case delete(table: UInt8, id: Data)
    case deleteConversation(table: UInt8, conversation: Data)

    init(_ change: StoreChange) {
        self =
            switch change {
            case .put(let row), .insert(let row):
                .put(
                    table: row.table.rawValue,
                    id: Data(row.id.bytes),
                    conversation: Data(row.conversation.bytes),
                    sequence: row.sequence,
                    version: row.version,
                    sealed: Data(row.sealed)
                )
            case .delete(let table, let id):
                .delete(table: table.rawValue, id: Data(id.bytes))
            case .deleteConversation(let table, let conversation):
                .deleteConversation(table: table.rawValue, conversation: Data(conversation.bytes))
            }
    }

    /// The change; nil if another program wrote the line.
    var change: StoreChange? {
        switch self {
        case .put(let table, let id, let conversation, let sequence, let version, let sealed):
            guard let table = RecordTable(rawValue: table), let id = RowID(bytes: id),
                let conversation = RowID(bytes: conversation)
            else { return nil }
            return .put(
                Row(
                    table: table,
                    id: id,
                    conversation: conversation,
                    sequence: sequence,
                    version: version,
                    sealed: [UInt8](sealed)
                )
            )
        case .delete(let table, let id):
            guard let table = RecordTable(rawValue: table), let id = RowID(bytes: id) else { return nil }
            return .delete(table, id)
        case .deleteConversation(let table, let conversation):
            guard let table = RecordTable(rawValue: table), let conversation = RowID(bytes: conversation) else {
                return nil
            }
            return .deleteConversation(table, conversation)
        }
    }
}
