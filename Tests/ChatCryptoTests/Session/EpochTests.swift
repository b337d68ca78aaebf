import Testing

@testable import ChatCrypto

@Suite("Epochs of a session")
struct EpochTests {
    @Test(
        "Whatever is lost, repeated and reordered, a lost write included, all that arrives opens and epochs go on",
        arguments: ScheduleSeeds.upTo(40)
    )
    func randomSchedules(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        let lossPercent = random.below(51)
        var people = [try Person(), try Person()]
        var wire: [[InboundPacket]] = [[], []]
        var texts: [[String]] = [[], []]
        var headers: Set<ArraySlice<UInt8>> = []
        for step in 0..<400 {
            let sender = random.below(2)
            let reader = 1 - sender
            let isFirst = people[sender].primary(with: people[reader]) == nil && sender == 1
            if !isFirst {
                let text = "\(step)" + String(repeating: "x", count: random.below(60))
                if random.below(10) == 0 {
                    let recipient = people[reader]
                    try people[sender].crash { _ = try $0.send(text, to: recipient) }
                }
                let packet = try people[sender].send(text, to: people[reader])
                if packet.kind == .sealed { #expect(headers.insert(packet.body[16..<28]).inserted) }
                wire[reader].append(packet)
                texts[reader].append(text)
            }
            // A message waits for a while, is lost, or comes twice.
            for _ in 0..<random.below(4) where !wire[sender].isEmpty {
                let index = random.below(wire[sender].count)
                let packet = wire[sender].remove(at: index)
                let text = texts[sender].remove(at: index)
                guard random.below(100) >= lossPercent else { continue }
                if random.below(10) == 0 { try people[sender].crash { _ = try $0.receive(packet) } }
                #expect(try people[sender].receive(packet) == text, "seed \(seed), step \(step)")
                #expect(try people[sender].receive(packet) == nil)
            }
            if random.below(20) == 0 { try people[reader].restart() }
        }
        // After that, calm talk leads on.
        let begun = people.map { $0.epoch ?? 0 }
        #expect(abs(Int(begun[0]) - Int(begun[1])) <= 1)
        for round in 0..<60 {
            for (sender, reader) in [(0, 1), (1, 0)] {
                let packet = try people[sender].send("\(round)", to: people[reader])
                #expect(try people[reader].receive(packet) == "\(round)")
            }
        }
        for person in people.indices {
            #expect(try #require(people[person].epoch) >= begun[person] + 2, "seed \(seed), loss \(lossPercent) %")
        }
    }

    @Test("A damaged message counts no unit")
    func damage() throws {
        var pair = try Pair()
        let packet = try pair.alice.send("one", to: pair.bob)
        let before = try #require(pair.bob.exchange).need
        for bit in stride(from: 16 * 8, to: packet.body.count * 8, by: 13) {
            #expect(try pair.bob.receive(packet.flipped(bit: bit)) == nil)
        }
        #expect(pair.bob.exchange?.need == before)
        #expect(try pair.bob.receive(packet) == "one")
        #expect(try #require(pair.bob.exchange).need > before)
    }

    @Test("A header of an epoch before, of the one after next, or of the next without its secret is dropped")
    func wrongEpochs() throws {
        let people = try KnownPeople()
        let bundle = people.bobsPrekey.bundle
        let message = try PrekeyMessage(from: people.alice, to: bundle, at: Person.start)
        var alice = try Ratchet(initiator: message.secrets, prekey: bundle.prekey, at: Person.start)
        var bob = Ratchet(responder: message.secrets, prekey: people.bobsPrekey.key, at: Person.start)
        try Self.talk(&alice, &bob) { $0.epoch == 2 && $1.epoch == 2 }
        // One more turn of Alice begins a chain; its header is then written with other epochs.
        let chain = try #require(alice.sending)
        let messageKey = SecretBytes.random(count: 32)
        for epoch in [0, 1, 3, 4, UInt32.max] {
            let header = RatchetHeader(
                ratchetKey: X25519.PrivateKey().publicKey,
                epoch: epoch,
                previousCount: chain.next,
                number: 0
            )
            let forged = MessageSeal.seal(
                [UInt8](repeating: 0, count: 136),
                header: header.encoded,
                headerKey: bob.nextReceivingHeaderKey,
                messageKey: messageKey,
                associatedData: bob.associatedData
            )
            let seal = try #require(MessageSeal(forged[...]))
            #expect(bob.open(seal, at: Person.start) == nil, "epoch \(epoch)")
        }
        #expect(bob.epoch == 2)
        try Self.talk(&alice, &bob) { $0.epoch == 3 && $1.epoch == 3 }
    }

    /// Lets two sides talk by turns until a condition holds.
    private static func talk(
        _ alice: inout Ratchet,
        _ bob: inout Ratchet,
        until isDone: (Ratchet, Ratchet) -> Bool
    ) throws {
        for _ in 0..<80 where !isDone(alice, bob) {
            try pass(from: &alice, to: &bob)
            try pass(from: &bob, to: &alice)
        }
        #expect(isDone(alice, bob))
    }

    private static func pass(from sender: inout Ratchet, to reader: inout Ratchet) throws {
        let padded = try #require(Padding.pad([1, 7], overheadByteCount: 120))
        let bytes = try sender.seal(padded: padded).bytes
        let seal = try #require(MessageSeal(bytes[...]))
        reader = try #require(reader.open(seal, at: Person.start)).next
    }

    @Test("After a week one message a day has room for a whole blob, until the blob is there")
    func slowExchange() throws {
        var pair = try Pair()
        let day: UInt32 = 86_400
        let long = String(repeating: "x", count: 100)
        func sizes(at now: UInt32) throws -> [Int] {
            try (0..<3).map { _ in try pair.alice.send(long, to: pair.bob, at: now).body.count - 16 + 4 }
        }
        #expect(try sizes(at: Person.start + 7 * day) == [256, 256, 256])
        #expect(try sizes(at: Person.start + 7 * day + 1) == [2_048, 256, 256])
        #expect(try sizes(at: Person.start + 8 * day) == [256, 256, 256])
        let wide = try pair.alice.send(long, to: pair.bob, at: Person.start + 8 * day + 1)
        #expect(try pair.bob.receive(wide, at: Person.start + 8 * day + 1) == long)
        #expect(pair.bob.exchange?.secret != nil)
        _ = try pair.alice.receive(try pair.bob.send("thanks", to: pair.alice), at: Person.start + 8 * day + 1)
        #expect(try sizes(at: Person.start + 10 * day) == [256, 256, 256])
    }

    @Test("A session without its exchange, and an exchange without its session, are refused")
    func records() throws {
        let pair = try Pair()
        for kind in [StoredRecord.Kind.session, .exchange] {
            let records = pair.bob.store.records.filter { $0.id.kind != kind }
            #expect(throws: CryptoError(.malformed, "")) {
                try SessionTable.restore(records, identity: pair.bob.identity, nickname: nil, at: Person.start)
            }
        }
        #expect(pair.bob.store.count(.session) == pair.bob.store.count(.exchange))
    }

    @Test("The record of an exchange goes with its session")
    func deleted() throws {
        var pair = try Pair()
        pair.bob.update { $0.teardown(pair.aliceID) }
        #expect(pair.bob.store.count(.session) == 0 && pair.bob.store.count(.exchange) == 0)
    }
}

extension Person {
    /// The epoch of the only peer's session that this person sends on.
    fileprivate var epoch: UInt32? { table.peers.values.first?.primarySession?.ratchet.epoch }

    /// The exchange of that session.
    fileprivate var exchange: KEMExchange? { table.peers.values.first?.primarySession?.ratchet.exchange }
}
