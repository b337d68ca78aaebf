import Bytes

@testable import ChatCrypto

/// The contents of storage: the records that changes have saved and not deleted.
struct RecordStore {
    private(set) var values: [StoredRecord.ID: SecretBytes] = [:]

    mutating func write(_ change: SessionChange) {
        for record in change.saved { values[record.id] = record.value }
        for id in change.deleted { values[id] = nil }
    }

    var records: [StoredRecord] { values.map { StoredRecord(id: $0.key, value: $0.value) } }

    func count(_ kind: StoredRecord.Kind) -> Int { values.keys.count { $0.kind == kind } }

    /// Returns the key exchange of a session.
    func exchange(of session: [UInt8]) -> SecretBytes {
        values[StoredRecord.ID(kind: .exchange, bytes: session)] ?? SecretBytes(copying: [])
    }
}

/// A user with a session table and storage, who writes before sending and showing, as a node does.
struct Person {
    let identity: Identity
    var table: SessionTable
    private(set) var store = RecordStore()

    /// The hour of the known answers.
    ///
    /// Units: seconds since 1970.
    static let start: UInt32 = 1_800_003_600

    init(at now: UInt32 = Person.start) throws {
        identity = Identity()
        let (table, change) = try SessionTable.restore([], identity: identity, nickname: nil, at: now)
        self.table = table
        store.write(change)
    }

    var card: PublicIdentity { identity.publicIdentity }

    /// Sends a text with its time inside, as content does.
    mutating func send(
        _ text: String,
        to peer: Person,
        as kind: CarrierKind = .sealed,
        at now: UInt32 = Person.start
    ) throws -> InboundPacket {
        let content = now.bigEndianBytes + Array(text.utf8)
        let sealed = try table.seal(content, as: kind, to: peer.card, bundle: peer.table.bundle, at: now)
        store.write(sealed.change)
        return InboundPacket(kind: sealed.message.kind, body: sealed.message.body)
    }

    /// Returns the text of a packet if the packet is for this person and new.
    mutating func receive(_ packet: InboundPacket, at now: UInt32 = Person.start) throws -> String? {
        guard let opened = table.open(packet, at: now) else { return nil }
        store.write(try table.commit(opened, sentAt: UInt32(bigEndianBytes: opened.content.prefix(4))))
        return String(decoding: opened.content.dropFirst(4), as: UTF8.self)
    }

    /// Restarts the table from storage.
    mutating func restart(at now: UInt32 = Person.start) throws {
        let (table, change) = try SessionTable.restore(store.records, identity: identity, nickname: nil, at: now)
        self.table = table
        store.write(change)
    }

    /// Ends in the middle of a step, before its change is written, and starts again.
    mutating func crash(during step: (inout Person) throws -> Void) throws {
        var lost = self
        try step(&lost)
        try restart()
    }

    /// Performs a step on the table and writes its change.
    mutating func update(_ step: (inout SessionTable) throws -> SessionChange) rethrows {
        store.write(try step(&table))
    }

    /// Returns the ID of the session that this person sends on.
    func primary(with peer: Person) -> SessionID? {
        table.peers[peer.card.id]?.primary
    }
}

/// Two people; the first has written and has received an answer.
struct Pair {
    var alice: Person
    var bob: Person
    let aliceID: PeerID
    let bobID: PeerID

    init() throws {
        alice = try Person()
        bob = try Person()
        aliceID = alice.card.id
        bobID = bob.card.id
        _ = try bob.receive(try alice.send("hello", to: bob))
        _ = try alice.receive(try bob.send("hi", to: alice))
    }
}

extension InboundPacket {
    /// Returns the packet with one bit of its body flipped.
    func flipped(bit: Int) -> InboundPacket {
        var body = body
        body[bit / 8] ^= 1 << UInt8(bit % 8)
        return InboundPacket(kind: kind, body: body)
    }

    /// Returns the packet with another body.
    func with(_ body: [UInt8]) -> InboundPacket { InboundPacket(kind: kind, body: body) }
}
