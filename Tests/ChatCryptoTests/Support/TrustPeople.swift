@testable import ChatCrypto

/// Storage of trust records in memory.
struct MemoryTrustStorage: TrustStorage {
    var records: [PeerID: [UInt8]] = [:]

    func trustRecords() -> [TrustRecord] {
        records.map { TrustRecord(peer: $0.key, bytes: $0.value) }
    }

    mutating func save(_ record: TrustRecord) { records[record.peer] = record.bytes }
    mutating func deleteTrustRecord(of peer: PeerID) { records[peer] = nil }
}

/// A trust store with its storage, every change written, and the events in order.
struct KeptBook {
    let owner: Identity
    private(set) var recordStore: TrustStore
    private(set) var storage = MemoryTrustStorage()
    static let now: UInt32 = 1_800_000_000

    init(owner: Identity = Identity()) {
        self.owner = owner
        recordStore = TrustStore(owner: owner.publicIdentity)
    }

    /// Performs a step, writes its change, and returns its events.
    @discardableResult
    mutating func update(_ step: (inout TrustStore) throws -> TrustChange) throws -> [TrustEvent] {
        let change = try step(&recordStore)
        try change.write(to: &storage)
        return change.events
    }

    mutating func see(_ identity: Identity, as nickname: String?, at now: UInt32 = KeptBook.now) throws -> [TrustEvent]
    {
        let bundle = try Self.bundle(of: identity, nickname: nickname)
        return try update { $0.see(bundle, at: now) }
    }

    /// Writes a peer's record as another version of the program may have.
    mutating func store(_ peer: KnownPeer) throws {
        storage.save(TrustRecord(peer: peer.identity.id, bytes: peer.encoded()))
    }

    mutating func expire(at now: UInt32) { recordStore.expire(at: now) }

    mutating func restart() throws {
        recordStore = try TrustStore(owner: owner.publicIdentity, restoring: storage)
    }

    /// Returns the safety number that both people would read out.
    func number(with peer: Identity) -> String {
        SafetyNumber(owner.publicIdentity.fingerprint(), peer.publicIdentity.fingerprint()).digits
    }

    private static let kemPrekey = KEM768.makeKey().publicKey

    static func bundle(of identity: Identity, nickname: String?, sequence: UInt32 = 1) throws -> PrekeyBundle {
        PrekeyBundle(
            of: identity,
            prekey: X25519.PrivateKey().publicKey,
            kemPrekey: kemPrekey,
            sequence: sequence,
            createdHour: now / 3_600,
            nickname: try nickname.map { try Nickname($0) }
        )
    }
}

extension Identity {
    var id: PeerID { publicIdentity.id }
}
