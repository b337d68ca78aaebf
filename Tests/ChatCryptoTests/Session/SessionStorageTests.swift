import Testing

@testable import ChatCrypto

@Suite("Session storage")
struct SessionStorageTests {
    @Test("A table comes back from its records and goes on where it was")
    func restart() throws {
        var alice = try Person()
        var bob = try Person()
        let first = try alice.send("one", to: bob)
        try alice.restart()
        let second = try alice.send("two", to: bob)
        #expect(second.kind == .prekey)
        #expect(try bob.receive(second) == "two")
        try bob.restart()
        #expect(try bob.receive(first) == "one")
        #expect(try bob.receive(second) == nil)
        #expect(try alice.receive(try bob.send("three", to: alice)) == "three")
        try alice.restart()
        #expect(try alice.send("four", to: bob).kind == .sealed)
        #expect(alice.table.bundle == (try Person.bundle(of: alice)))
    }

    @Test("A session's record reads back to the same record")
    func roundTrip() throws {
        var pair = try Pair()
        let lost = try (0..<30).map { try pair.alice.send("lost \($0)", to: pair.bob) }
        #expect(try pair.bob.receive(try pair.alice.send("seen", to: pair.bob)) == "seen")
        #expect(try pair.bob.receive(lost[7]) == "lost 7")
        for person in [pair.alice, pair.bob] {
            for record in person.store.records where record.id.kind == .session {
                let session = try Session(decoding: record.value, exchange: person.store.exchange(of: record.id.bytes))
                #expect(session.encoded().exposed == record.value.exposed)
                #expect(session.id.bytes == record.id.bytes)
            }
        }
        try pair.bob.restart()
        #expect(try pair.bob.receive(lost[7]) == nil)
        #expect(try pair.bob.receive(lost[8]) == "lost 8")
    }

    @Test(
        "Damaged session records never trap, and are refused or read as another session",
        arguments: [51, 52] as [UInt64]
    )
    func damage(seed: UInt64) throws {
        var pair = try Pair()
        for _ in 0..<5 { _ = try pair.alice.send("lost", to: pair.bob) }
        #expect(try pair.bob.receive(try pair.alice.send("seen", to: pair.bob)) == "seen")
        let stored = try #require(pair.bob.store.records.first { $0.id.kind == .session })
        let (record, exchange) = (stored.value.exposed, pair.bob.store.exchange(of: stored.id.bytes))
        var random = SeededBytes(seed: seed)
        for _ in 0..<10_000 {
            let damaged = random.damaged(record)
            guard let session = try? Session(decoding: SecretBytes(copying: damaged), exchange: exchange) else {
                continue
            }
            // Secrets have no invalid form. A damaged session is written exactly as it was read, and is safe to use.
            #expect(session.encoded().exposed == damaged)
        }
        for count in 0..<record.count {
            #expect(throws: CryptoError(.malformed, "")) {
                try Session(decoding: SecretBytes(copying: record.prefix(count)), exchange: exchange)
            }
        }
        #expect(throws: CryptoError(.malformed, "")) {
            try Session(decoding: SecretBytes(copying: record + [0]), exchange: exchange)
        }
    }

    @Test("Records that do not fit each other are refused")
    func inconsistent() throws {
        var pair = try Pair()
        var unknownPeer = try Person()
        let records = pair.bob.store.records
        #expect(throws: CryptoError(.malformed, "")) {
            try SessionTable.restore(records, identity: unknownPeer.identity, nickname: nil, at: Person.start)
        }
        for record in records {
            let cut = StoredRecord(id: record.id, value: record.value.slice(0..<(record.value.count - 1)))
            let damaged = records.filter { $0.id != record.id } + [cut]
            #expect(throws: CryptoError(.malformed, "")) {
                try SessionTable.restore(damaged, identity: pair.bob.identity, nickname: nil, at: Person.start)
            }
        }
        // Two sessions that both claim to be the primary.
        _ = try pair.bob.receive(try unknownPeer.send("hello", to: pair.bob))
        var two = pair.bob.store.records.filter { $0.id.kind == .session }
        let first = try Session(decoding: two[0].value, exchange: pair.bob.store.exchange(of: two[0].id.bytes))
        var other = try Session(from: pair.bob.identity, to: pair.alice.table.bundle, at: Person.start)
        other = try Session(decoding: other.encoded(), exchange: other.ratchet.exchange.encoded())
        two = [
            StoredRecord(id: two[0].id, value: first.encoded()),
            StoredRecord(id: .init(kind: .session, bytes: other.id.bytes), value: other.encoded()),
            StoredRecord(id: .init(kind: .exchange, bytes: two[0].id.bytes), value: first.ratchet.exchange.encoded()),
            StoredRecord(id: .init(kind: .exchange, bytes: other.id.bytes), value: other.ratchet.exchange.encoded()),
        ]
        if first.peer == pair.alice.card {
            #expect(throws: CryptoError(.malformed, "")) {
                try SessionTable.restore(two, identity: pair.bob.identity, nickname: nil, at: Person.start)
            }
        }
    }

    @Test(
        "A crash after any write loses no committed message and repeats no key and nonce",
        arguments: [61, 62, 63] as [UInt64]
    )
    func crashes(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        var people = [try Person(), try Person()]
        var sent: [[String]] = [[], []]
        var shown: [[String]] = [[], []]
        var wire: [[InboundPacket]] = [[], []]
        var uses = KeyUses()
        for step in 0..<300 {
            let side = random.below(2)
            let peer = people[1 - side]
            switch random.below(5) {
            case 0, 1:
                let text = "\(side) says \(step)"
                let packet = try people[side].send(text, to: peer, at: Person.start + UInt32(step))
                uses.record(packet)
                // A crash after the write: the outbox would send the same packet, or seal the text again.
                if random.below(4) == 0 { try people[side].restart() }
                wire[1 - side].append(packet)
                sent[side].append(text)
            case 2, 3:
                guard !wire[side].isEmpty else { continue }
                let packet = wire[side].remove(at: random.below(wire[side].count))
                if random.below(4) == 0 {
                    // A crash after the opening and before the write: the mesh delivers the packet again.
                    #expect(people[side].table.open(packet, at: Person.start) != nil)
                    try people[side].restart()
                }
                shown[side].append(try #require(try people[side].receive(packet, at: Person.start + UInt32(step))))
                if random.below(4) == 0 { try people[side].restart() }
            default:
                try people[side].restart()
            }
        }
        for side in 0...1 {
            for packet in wire[side] {
                shown[side].append(try #require(try people[side].receive(packet, at: Person.start + 400)))
            }
            #expect(shown[side].sorted() == sent[1 - side].sorted())
        }
        #expect(!uses.repeated)
    }

    @Test("Sending again from an old snapshot never repeats a key and nonce", arguments: [71, 72] as [UInt64])
    func rollback(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        var pair = try Pair()
        var uses = KeyUses()
        var snapshots = [pair.alice]
        for step in 0..<300 {
            if random.below(4) == 0 { pair.alice = snapshots[random.below(snapshots.count)] }
            uses.record(try pair.alice.send("\(step)", to: pair.bob))
            if random.below(3) == 0 { snapshots.append(pair.alice) }
        }
        #expect(uses.count == 300)
        #expect(!uses.repeated)
    }

    @Test("After teardown no record holds a byte of the session's keys")
    func teardownErases() throws {
        var pair = try Pair()
        let sessions = pair.bob.table.peers[pair.alice.card.id]?.sessions ?? []
        let ratchet = try #require(sessions.first).ratchet
        let keys = [
            ratchet.rootKey, ratchet.ownKey.seed, ratchet.nextSendingHeaderKey, ratchet.nextReceivingHeaderKey,
            ratchet.skipped.wrappingKey, try #require(ratchet.sending).chainKey,
            try #require(ratchet.receiving).chainKey,
        ].map(\.exposed)
        func holds(_ key: [UInt8]) -> Bool {
            pair.bob.store.records.contains { $0.value.exposed.ranges(of: key).isEmpty == false }
        }
        #expect(keys.allSatisfy(holds))
        let aliceID = pair.aliceID
        pair.bob.update { $0.teardown(aliceID) }
        #expect(!keys.contains(where: holds))
        #expect(pair.bob.store.count(.session) == 0)
    }
}

/// A record of the body keys and header nonces that were used.
///
/// The commitment, the body's key and its nonce come from one derivation, so equal keys and nonces mean an equal
/// commitment; a header's key and nonce are equal only if the nonce is.
struct KeyUses {
    private var commitments: Set<[UInt8]> = []
    private var headerNonces: Set<[UInt8]> = []
    private(set) var count = 0

    var repeated: Bool { commitments.count < count || headerNonces.count < count }

    mutating func record(_ packet: InboundPacket) {
        let message = Array(packet.body.dropFirst(packet.kind.prefixByteCount))
        headerNonces.insert(Array(message[..<12]))
        commitments.insert(Array(message[68..<100]))
        count += 1
    }
}

extension Person {
    /// Returns the prekey bundle that a restarted table would publish.
    static func bundle(of person: Person) throws -> PrekeyBundle {
        var copy = person
        try copy.restart()
        return copy.table.bundle
    }
}
