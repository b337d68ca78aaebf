/// One record of a trust book, for storage that seals it.
public struct TrustRecord: Hashable, Sendable {
    /// Whom the record is about, and the name it is stored under.
    public let peer: PeerID
    /// The record itself.
    public let bytes: [UInt8]

    /// Makes a record, as storage does when it reads one.
    public init(peer: PeerID, bytes: [UInt8]) {
        self.peer = peer
        self.bytes = bytes
    }
}

/// Where a trust book is kept.
public protocol TrustStorage {
    /// All records, in any order.
    func trustRecords() throws -> [TrustRecord]
    /// Writes a record in place of the one of the same peer.
    mutating func save(_ record: TrustRecord) throws
    /// Deletes the record of a peer, if there is one.
    mutating func deleteTrustRecord(of peer: PeerID) throws
}

/// What a step of the trust book changed, and what a person should know of it.
public struct TrustChange: Equatable, Sendable {
    /// To be told once the change is durable.
    public internal(set) var events: [TrustEvent] = []
    /// Records to write.
    public internal(set) var saved: [TrustRecord] = []
    /// Peers whose records are to be deleted.
    public internal(set) var deleted: [PeerID] = []

    /// Whether there is nothing to write.
    public var isEmpty: Bool { saved.isEmpty && deleted.isEmpty }

    /// Writes the change; storage that can should make it one transaction.
    public func write(to storage: inout some TrustStorage) throws {
        for record in saved { try storage.save(record) }
        for peer in deleted { try storage.deleteTrustRecord(of: peer) }
    }

    mutating func append(_ later: TrustChange) {
        events += later.events
        saved += later.saved
        deleted += later.deleted
    }
}
