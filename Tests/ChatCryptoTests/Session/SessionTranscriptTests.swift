import Testing

@testable import ChatCrypto

/// One session of 68 messages through two epochs, as another implementation has computed it.
@Suite("Known session")
struct SessionTranscriptTests {
    private let people: KnownPeople
    private let flight: VectorCase
    private let known: VectorCase
    private let messages: [VectorCase]

    init() throws {
        people = try KnownPeople()
        flight = try VectorFile("first_flight").cases[0]
        let cases = try VectorFile("ratchet").cases
        known = cases[0]
        messages = Array(cases.dropFirst())
    }

    /// One side, with the random values that it will draw.
    private struct Side {
        var ratchet: Ratchet
        var seeds: ArraySlice<UInt8>

        /// The next seed of a ratchet key.
        mutating func nextSeed() -> [UInt8] {
            defer { seeds = seeds.dropFirst(32) }
            return Array(seeds.prefix(32))
        }
    }

    private func start() throws -> [String: Side] {
        var aliceSeeds = try known.bytes("ratchet seeds of alice")[...]
        let wrappingKey = [UInt8](repeating: 0, count: 32)
        let tape = try flight.bytes("ephemeral seed") + aliceSeeds.prefix(32) + known.bytes("KEM seed 1") + wrappingKey
        aliceSeeds = aliceSeeds.dropFirst(32)
        let encapsulation = KEM768.Encapsulation(
            ciphertext: try flight.bytes("ciphertext"),
            secret: SecretBytes(copying: try flight.bytes("secret"))
        )
        let made = try KEM768.$tape.withValue(EncapsulationTape([encapsulation])) {
            try Randomness.$tape.withValue(RandomTape(tape)) {
                let bundle = people.bobsPrekey.bundle
                let message = try PrekeyMessage(from: people.alice, to: bundle, at: UInt32(try flight.number("time")))
                return try Ratchet(initiator: message.secrets, prekey: bundle.prekey, at: Person.start)
            }
        }
        let opened = try OpenedPrekeyMessage(
            try flight.bytes("flight")[...],
            recipient: people.bob,
            prekeys: PrekeyRing(people.bobsPrekey)
        )
        let taken = Ratchet(responder: opened.secrets, prekey: opened.prekey.key, at: Person.start)
        let bobSeeds = try known.bytes("ratchet seeds of bob")[...]
        return ["alice": Side(ratchet: made, seeds: aliceSeeds), "bob": Side(ratchet: taken, seeds: bobSeeds)]
    }

    @Test("The known random values give the known messages, byte for byte, and epochs and needs are the known ones")
    func knownAnswers() throws {
        var sides = try start()
        var last = ""
        let encapsulations = try (1...2).map { number in
            KEM768.Encapsulation(
                ciphertext: try known.bytes("ciphertext \(number)"),
                secret: SecretBytes(copying: try known.bytes("secret \(number)"))
            )
        }
        let tape = EncapsulationTape(encapsulations)
        for message in messages {
            let sender = try message.text("sender")
            let reader = sender == "alice" ? "bob" : "alice"
            var (speaker, listener) = (try #require(sides[sender]), try #require(sides[reader]))
            let bytes = try seal(message, by: &speaker)
            try KEM768.$tape.withValue(tape) {
                try open(bytes, message, isNewChain: sender != last, by: &listener)
            }
            sides = [sender: speaker, reader: listener]
            last = sender
        }
        #expect(tape.isExhausted)
        for side in sides.values {
            #expect(side.seeds.isEmpty)
            #expect(side.ratchet.epochSecret.exposed == (try known.bytes("secret of the last epoch")))
        }
    }

    private func seal(_ message: VectorCase, by side: inout Side) throws -> [UInt8] {
        let overhead = try message.number("overhead")
        let padded = try #require(
            Padding.pad(
                MessageItems.encode([Array(try message.text("content").utf8)]),
                overheadByteCount: overhead,
                buckets: overhead == 120 ? Padding.buckets : CarrierKind.prekey.buckets
            )
        )
        let sealed = try Randomness.$tape.withValue(RandomTape(try message.bytes("header nonce"))) {
            try side.ratchet.seal(padded: padded).bytes
        }
        #expect(side.ratchet.epoch == UInt32(try message.number("epoch of sender")))
        #expect(sealed.count == (try message.number("bytes")))
        #expect(SHA256.hash(sealed) == (try message.bytes("digest")), "\(message.testDescription)")
        return sealed
    }

    private func open(_ bytes: [UInt8], _ message: VectorCase, isNewChain: Bool, by side: inout Side) throws {
        let epoch = UInt32(try message.number("epoch of reader"))
        // Whoever learns of a new epoch by a message owns the exchange that follows it.
        let epochOfSender = UInt32(try message.number("epoch of sender"))
        let isOwner = epoch > side.ratchet.epoch && epoch == epochOfSender
        let kemSeed = isOwner ? try known.bytes("KEM seed \(epoch + 1)") : []
        let tape = RandomTape(kemSeed + (isNewChain ? side.nextSeed() : []))
        let seal = try #require(MessageSeal(bytes[...]))
        let opened = try #require(
            Randomness.$tape.withValue(tape) { side.ratchet.open(seal, at: Person.start) }
        )
        #expect(tape.isExhausted)
        #expect(MessageItems.decode(opened.items) == [Array(try message.text("content").utf8)])
        side.ratchet = opened.next
        #expect(side.ratchet.epoch == epoch)
        #expect(side.ratchet.exchange.number == epoch + 1)
        #expect(side.ratchet.exchange.need == (try message.number("need of reader")), "\(message.testDescription)")
    }
}
