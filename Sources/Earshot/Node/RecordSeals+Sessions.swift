import ChatCrypto
import ChatHistory
import SwiftProtobuf

extension RecordSeals {
    /// Writes what a step of the session table changed.
    func write(_ change: SessionChange, in transaction: inout ChatTransaction) {
        for record in change.saved {
            let name = Self.name(of: record.id)
            var stored = ProtoSecretRecord()
            stored.kind = UInt32(record.id.kind.rawValue)
            stored.name = .init(record.id.bytes)
            stored.sealed = .init(seal(record.value, named: name))
            transaction.put(.sessions, name, stored)
        }
        for id in change.deleted {
            transaction.delete(.sessions, Self.name(of: id))
        }
    }

    /// Reads all that steps of the session table have written.
    func sessionRecords(in transaction: ChatTransaction) throws -> [StoredRecord] {
        try transaction.all(.sessions).map { bytes in
            guard let stored = try? ProtoSecretRecord(serializedBytes: bytes),
                let kind = StoredRecord.Kind(rawValue: UInt8(clamping: stored.kind))
            else {
                throw ChatError(
                    .homeCorrupt,
                    "A session's record is damaged: restore a backup of this home. \(ChatError.rescue)"
                )
            }
            let id = StoredRecord.ID(kind: kind, bytes: [UInt8](stored.name))
            guard let value = open([UInt8](stored.sealed), named: Self.name(of: id)) else {
                throw ChatError(
                    .homeCorrupt,
                    "A session's record cannot be opened: restore a backup of this home. \(ChatError.rescue)"
                )
            }
            return StoredRecord(id: id, value: value)
        }
    }

    /// What steps of the session table have written and still opens.
    func secrets(in transaction: ChatTransaction) throws -> [StoredRecord] {
        try transaction.all(.sessions).compactMap { bytes in
            guard let stored = try? ProtoSecretRecord(serializedBytes: bytes),
                let kind = StoredRecord.Kind(rawValue: UInt8(clamping: stored.kind))
            else { return nil }
            let id = StoredRecord.ID(kind: kind, bytes: [UInt8](stored.name))
            return open([UInt8](stored.sealed), named: Self.name(of: id)).map { StoredRecord(id: id, value: $0) }
        }
    }

    static func name(of id: StoredRecord.ID) -> [UInt8] {
        [id.kind.rawValue] + id.bytes
    }
}
