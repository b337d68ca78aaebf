import Bytes
package import ChatCrypto
import SwiftProtobuf

/// The seals of secrets: sessions, prekeys and identities.
///
/// Secrets are sealed from locked memory under a key of their own, so that their bytes are never in ordinary memory.
/// The store seals the record again.
package struct SecretSeals: Sendable {
    private let aead: RecordAEAD

    /// Makes seals under a key.
    package init(_ aead: RecordAEAD) { self.aead = aead }

    /// Seals a secret, bound to its record's name.
    package func seal(_ secret: SecretBytes, named name: [UInt8]) -> [UInt8] {
        aead.seal(secret, associatedData: name)
    }

    /// Opens a secret; nil if it does not belong to that name.
    package func open(_ sealed: [UInt8], named name: [UInt8]) -> SecretBytes? {
        aead.openSecret(sealed, associatedData: name)
    }

    /// Writes the changes by a step of a group, or of the session table of one of the user's identities.
    ///
    /// - Parameter generation: The number of the identity, counted from 0; of groups always 0.
    func write(_ change: SessionChange, of generation: UInt32 = 0, in step: inout ChatStep) {
        for record in change.saved {
            let name = Self.name(of: record.id, generation)
            var stored = ProtoSecretRecord()
            stored.generation = generation
            stored.kind = UInt32(record.id.kind.rawValue)
            stored.name = .bytes(record.id.bytes)
            stored.sealed = .bytes(seal(record.value, named: name))
            step.put(.sessions, name, stored)
        }
        for id in change.deleted { delete(id, of: generation, in: &step) }
    }

    /// Reads all records that such steps have written, by generation.
    func sessionRecords(in snapshot: some Snapshot) throws -> [UInt32: [StoredRecord]] {
        try snapshot.rows(.sessions).reduce(into: [:]) { records, bytes in
            guard let (generation, record) = record(of: bytes) else {
                throw ChatError(
                    .homeCorrupt,
                    "The record of a session is damaged. Restore a backup of the data directory. \(ChatError.rescue)"
                )
            }
            records[generation, default: []].append(record)
        }
    }

    /// Returns the records that still open.
    package func rescuedRecords(in step: ChatStep) throws -> [(generation: UInt32, record: StoredRecord)] {
        try step.rows(.sessions).compactMap(record(of:))
    }

    /// Deletes one of these records.
    package func delete(_ id: StoredRecord.ID, of generation: UInt32, in step: inout ChatStep) {
        step.delete(.sessions, Self.name(of: id, generation))
    }

    private func record(of bytes: [UInt8]) -> (generation: UInt32, record: StoredRecord)? {
        guard let stored = try? ProtoSecretRecord(serializedBytes: bytes),
            let kind = StoredRecord.Kind(rawValue: UInt8(clamping: stored.kind))
        else { return nil }
        let id = StoredRecord.ID(kind: kind, bytes: [UInt8](stored.name))
        return open([UInt8](stored.sealed), named: Self.name(of: id, stored.generation)).map { value in
            (stored.generation, StoredRecord(id: id, value: value))
        }
    }

    private static func name(of id: StoredRecord.ID, _ generation: UInt32) -> [UInt8] {
        [id.kind.rawValue] + id.bytes + (generation == 0 ? [] : generation.bigEndianBytes)
    }
}
