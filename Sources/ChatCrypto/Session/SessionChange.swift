import Bytes

/// The change that a step of the session table or of a group made; all of it goes to storage in one transaction.
public struct SessionChange: Sendable {
    /// The records to write, each in place of the one with the same ID.
    public internal(set) var saved: [StoredRecord] = []
    /// The records to delete.
    public internal(set) var deleted: [StoredRecord.ID] = []

    /// Whether there is nothing to write.
    public var isEmpty: Bool { saved.isEmpty && deleted.isEmpty }

    /// The number of records that the change writes or deletes.
    public var count: Int { saved.count + deleted.count }

    /// Makes an empty change.
    public init() {}

    /// Adds a later change that may contain the same records; the later values win.
    public mutating func supersede(with later: SessionChange) {
        let again = Set(later.saved.map(\.id) + later.deleted)
        saved.removeAll { again.contains($0.id) }
        deleted.removeAll { again.contains($0) }
        append(later)
    }

    /// Adds a later change of other records.
    public mutating func append(_ later: SessionChange) {
        saved += later.saved
        deleted += later.deleted
    }

    mutating func save(_ session: Session) {
        saved.append(StoredRecord(id: Self.id(session.id), value: session.encoded()))
    }

    mutating func save(_ exchange: KEMExchange, of session: SessionID) {
        saved.append(StoredRecord(id: Self.exchangeID(session), value: exchange.encoded()))
    }

    mutating func save(_ prekey: Prekey) {
        saved.append(StoredRecord(id: Self.id(prekey), value: prekey.encoded()))
    }

    mutating func save(_ entry: ReplayCache.Entry) {
        saved.append(StoredRecord(id: Self.id(entry), value: entry.encoded()))
    }

    mutating func delete(_ ids: some Sequence<SessionID>) {
        deleted += ids.flatMap { [Self.id($0), Self.exchangeID($0)] }
    }

    mutating func delete(_ prekeys: some Sequence<Prekey>) {
        deleted += prekeys.map(Self.id)
    }

    mutating func delete(_ entries: some Sequence<ReplayCache.Entry>) {
        deleted += entries.map(Self.id)
    }

    mutating func save(_ kind: StoredRecord.Kind, _ name: [UInt8], _ value: SecretBytes) {
        saved.append(StoredRecord(id: StoredRecord.ID(kind: kind, bytes: name), value: value))
    }

    mutating func delete(_ kind: StoredRecord.Kind, _ name: [UInt8]) {
        deleted.append(StoredRecord.ID(kind: kind, bytes: name))
    }

    private static func id(_ session: SessionID) -> StoredRecord.ID {
        StoredRecord.ID(kind: .session, bytes: session.bytes)
    }

    private static func exchangeID(_ session: SessionID) -> StoredRecord.ID {
        StoredRecord.ID(kind: .exchange, bytes: session.bytes)
    }

    private static func id(_ prekey: Prekey) -> StoredRecord.ID {
        StoredRecord.ID(kind: .prekey, bytes: prekey.bundle.sequence.bigEndianBytes)
    }

    private static func id(_ entry: ReplayCache.Entry) -> StoredRecord.ID {
        StoredRecord.ID(kind: .prekeyMessage, bytes: entry.ephemeral)
    }
}
