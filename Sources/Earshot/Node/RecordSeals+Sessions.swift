import ChatCrypto
import ChatHistory
import SwiftProtobuf

extension RecordSeals {
    /// Writes what a step of a group, or of the session table of one of the user's identities, changed.
    ///
    /// - Parameter generation: Which of them, counted from 0; of groups always 0.
    func write(_ change: SessionChange, of generation: UInt32 = 0, in transaction: inout ChatTransaction) {
        for record in change.saved {
            let name = Self.name(of: record.id, generation)
            var stored = ProtoSecretRecord()
            stored.generation = generation
            stored.kind = UInt32(record.id.kind.rawValue)
            stored.name = .init(record.id.bytes)
            stored.sealed = .init(seal(record.value, named: name))
            transaction.put(.sessions, name, stored)
        }
        for id in change.deleted {
            transaction.delete(.sessions, Self.name(of: id, generation))
        }
    }

    /// Reads all that such steps have written, by generation.
    func sessionRecords(in transaction: ChatTransaction) throws -> [UInt32: [StoredRecord]] {
        try transaction.all(.sessions).reduce(into: [:]) { records, bytes in
            guard let stored = try? ProtoSecretRecord(serializedBytes: bytes),
                let kind = StoredRecord.Kind(rawValue: UInt8(clamping: stored.kind))
            else { throw ChatError(.homeCorrupt, "A session's record is damaged: restore a backup of this home.") }
            let id = StoredRecord.ID(kind: kind, bytes: [UInt8](stored.name))
            guard let value = open([UInt8](stored.sealed), named: Self.name(of: id, stored.generation)) else {
                throw ChatError(.homeCorrupt, "A session's record cannot be opened: restore a backup of this home.")
            }
            records[stored.generation, default: []].append(StoredRecord(id: id, value: value))
        }
    }

    private static func name(of id: StoredRecord.ID, _ generation: UInt32) -> [UInt8] {
        [id.kind.rawValue] + id.bytes + (generation == 0 ? [] : generation.bigEndianBytes)
    }
}
