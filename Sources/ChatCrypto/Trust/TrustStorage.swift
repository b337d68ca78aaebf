/// One record of a trust store, for storage that seals it.
public struct TrustRecord: Hashable, Sendable {
    /// The peer that the record describes; its ID is the record's name in storage.
    public let peer: PeerID
    /// The content of the record.
    public let bytes: [UInt8]

    /// Makes a record; storage calls it for each record that it reads.
    public init(peer: PeerID, bytes: [UInt8]) {
        self.peer = peer
        self.bytes = bytes
    }
}

/// The storage of a trust store.
public protocol TrustStorage {
    /// Reads all records, in any order.
    func trustRecords() throws -> [TrustRecord]
    /// Writes a record, which replaces the one of the same peer.
    mutating func save(_ record: TrustRecord) throws
    /// Deletes the record of a peer, if there is one.
    mutating func deleteTrustRecord(of peer: PeerID) throws
}

/// The change that a step of the trust store made, and its events for the user.
public struct TrustChange: Equatable, Sendable {
    /// The events to report once the change is durable.
    public internal(set) var events: [TrustEvent] = []
    /// The records to write.
    public internal(set) var saved: [TrustRecord] = []
    /// The peers whose records are to be deleted.
    public internal(set) var deleted: [PeerID] = []

    /// Whether there is nothing to write.
    public var isEmpty: Bool { saved.isEmpty && deleted.isEmpty }

    /// Writes the change.
    ///
    /// Storage that supports transactions should use one.
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
