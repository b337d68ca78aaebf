import SwiftProtobuf

/// A change of one stored record that a machine requests.
enum RecordChange<Record: SwiftProtobuf.Message & Sendable>: Sendable {
    case put(Record)
    /// The store does not have the record yet.
    case insert(Record)
    /// The record replaces one whose content must not be found again, not in the store's log either.
    case erase(leaving: Record)
    case delete

    /// The record as it will be; nil for one that is deleted.
    var record: Record? {
        switch self {
        case .put(let record), .insert(let record), .erase(let record): record
        case .delete: nil
        }
    }
}
