import Testing

@testable import ChatCrypto

@Suite("Ratchet")
struct RatchetTests {
    /// Makes two ratchets that share the secrets of one prekey message.
    private static func pair() throws -> (alice: Ratchet, bob: Ratchet) {
        let people = try KnownPeople()
        let bundle = people.bobsPrekey.bundle
        let prekeyMessage = try PrekeyMessage(from: people.alice, to: bundle, at: Person.start)
        return (
            try Ratchet(initiator: prekeyMessage.secrets, prekey: bundle.prekey, at: Person.start),
            Ratchet(responder: prekeyMessage.secrets, prekey: people.bobsPrekey.key, at: Person.start)
        )
    }

    private static func seal(_ text: String, _ ratchet: inout Ratchet) throws -> [UInt8] {
        let padded = try #require(Padding.pad(MessageItems.encode([Array(text.utf8)]), overheadByteCount: 120))
        return try ratchet.seal(padded: padded).bytes
    }

    private static func open(_ message: [UInt8], _ ratchet: inout Ratchet, at now: UInt32 = Person.start) -> String? {
        guard let seal = MessageSeal(message[...]), let opened = ratchet.open(seal, at: now) else { return nil }
        ratchet = opened.next
        return MessageItems.decode(opened.items).map { String(decoding: $0.joined(), as: UTF8.self) }
    }

    @Test("A conversation in turns opens on both sides, and every turn has new ratchet keys")
    func turns() throws {
        var (alice, bob) = try Self.pair()
        var keys: Set<[UInt8]> = []
        for turn in 0..<20 {
            #expect(Self.open(try Self.seal("to bob \(turn)", &alice), &bob) == "to bob \(turn)")
            #expect(Self.open(try Self.seal("to alice \(turn)", &bob), &alice) == "to alice \(turn)")
            keys.formUnion([alice.ownKey.publicKey, bob.ownKey.publicKey])
        }
        #expect(keys.count == 40)
    }

    @Test("A responder cannot send before the first message")
    func responderWaits() throws {
        var (_, bob) = try Self.pair()
        #expect(!bob.canSend)
        #expect(throws: CryptoError(.exhausted, "")) { try bob.seal(padded: [0x80]) }
    }

    @Test("A message opens once")
    func replay() throws {
        var (alice, bob) = try Self.pair()
        let message = try Self.seal("once", &alice)
        #expect(Self.open(message, &bob) == "once")
        #expect(Self.open(message, &bob) == nil)
        let late = try Self.seal("late", &alice)
        #expect(Self.open(try Self.seal("early", &alice), &bob) == "early")
        #expect(Self.open(late, &bob) == "late")
        #expect(Self.open(late, &bob) == nil)
        #expect(bob.skipped.count == 0)
    }

    @Test("A header with the largest number is refused at once, and nothing changes")
    func hugeNumber() throws {
        var (alice, bob) = try Self.pair()
        let chain = try #require(alice.sending)
        for number in [65_535, .max] as [UInt32] {
            let header = RatchetHeader(
                ratchetKey: alice.ownKey.publicKey,
                epoch: 0,
                previousCount: 0,
                number: number
            )
            let message = MessageSeal.seal(
                [0x80],
                header: header.encoded,
                headerKey: chain.headerKey,
                messageKey: .random(count: 32),
                associatedData: alice.associatedData
            )
            #expect(Self.open(message, &bob) == nil)
        }
        #expect(bob.receiving == nil && bob.skipped.count == 0)
        #expect(Self.open(try Self.seal("still works", &alice), &bob) == "still works")
    }

    @Test("A message may be 1,000 ahead and no more")
    func gap() throws {
        var (alice, bob) = try Self.pair()
        #expect(Self.open(try Self.seal("0", &alice), &bob) == "0")
        var messages: [[UInt8]] = []
        for number in 1...1_002 { messages.append(try Self.seal("\(number)", &alice)) }
        #expect(Self.open(messages[1_001], &bob) == nil)
        #expect(bob.skipped.count == 0)
        #expect(Self.open(messages[1_000], &bob) == "1001")
        #expect(bob.skipped.count == 1_000)
        #expect(Self.open(messages[1_001], &bob) == "1002")
        for number in [1, 500, 1_000] { #expect(Self.open(messages[number - 1], &bob) == "\(number)") }
        #expect(bob.skipped.count == 997)
    }

    @Test("A session keeps 2,000 skipped keys, the newest")
    func skippedLimit() throws {
        var (alice, bob) = try Self.pair()
        let first = try Self.seal("first", &alice)
        for _ in 0..<3 {
            for _ in 0..<900 { _ = try Self.seal("lost", &alice) }
            #expect(Self.open(try Self.seal("seen", &alice), &bob) == "seen")
        }
        #expect(bob.skipped.count == SessionLimits.maximumSkippedKeys)
        #expect(Self.open(first, &bob) == nil)
    }

    @Test("A session keeps skipped keys of 256 finished chains, the newest")
    func chainLimit() throws {
        var (alice, bob) = try Self.pair()
        var lost: [[UInt8]] = []
        for turn in 0..<260 {
            lost.append(try Self.seal("lost \(turn)", &alice))
            #expect(Self.open(try Self.seal("seen", &alice), &bob) == "seen")
            #expect(Self.open(try Self.seal("answer", &bob), &alice) == "answer")
        }
        #expect(bob.skipped.chains.count == SessionLimits.maximumSkippedChains)
        #expect(Self.open(lost[3], &bob) == nil)
        #expect(Self.open(lost[4], &bob) == "lost 4")
    }

    @Test("Skipped keys are gone after 9 days")
    func skippedExpire() throws {
        var (alice, bob) = try Self.pair()
        let lost = try Self.seal("lost", &alice)
        #expect(Self.open(try Self.seal("seen", &alice), &bob) == "seen")
        #expect(bob.skipped.count == 1)
        let later = Person.start + 9 * 86_400
        #expect(bob.skipped.holdsExpired(at: later))
        #expect(Self.open(try Self.seal("later", &alice), &bob, at: later) == "later")
        #expect(bob.skipped.count == 0)
        #expect(Self.open(lost, &bob, at: later) == nil)
    }

    @Test("A chain ends at message 65,534, and an answer begins the next")
    func chainEnds() throws {
        var (alice, bob) = try Self.pair()
        #expect(Self.open(try Self.seal("0", &alice), &bob) == "0")
        let sending = try #require(alice.sending)
        alice.sending = RatchetChain(headerKey: sending.headerKey, chainKey: sending.chainKey, next: 65_534)
        let receiving = try #require(bob.receiving)
        bob.receiving = RatchetChain(
            ordinal: receiving.ordinal,
            headerKey: receiving.headerKey,
            chainKey: receiving.chainKey,
            next: 65_534
        )
        #expect(Self.open(try Self.seal("last", &alice), &bob) == "last")
        #expect(!alice.canSend)
        #expect(throws: CryptoError(.exhausted, "")) { try Self.seal("one more", &alice) }
        #expect(Self.open(try Self.seal("answer", &bob), &alice) == "answer")
        #expect(Self.open(try Self.seal("goes on", &alice), &bob) == "goes on")
    }

    @Test("A ratchet key of low order is refused, and nothing changes")
    func lowOrderRatchetKey() throws {
        var (alice, bob) = try Self.pair()
        let header = RatchetHeader(
            ratchetKey: [UInt8](repeating: 0, count: 32),
            epoch: 0,
            previousCount: 0,
            number: 0
        )
        let message = MessageSeal.seal(
            [0x80],
            header: header.encoded,
            headerKey: try #require(alice.sending).headerKey,
            messageKey: .random(count: 32),
            associatedData: alice.associatedData
        )
        #expect(Self.open(message, &bob) == nil)
        #expect(Self.open(try Self.seal("genuine", &alice), &bob) == "genuine")
    }

    @Test("A message with another key's commitment is refused, and nothing changes")
    func wrongCommitment() throws {
        var (alice, bob) = try Self.pair()
        let genuine = try Self.seal("genuine", &alice)
        let parts = try #require(MessageSeal(genuine[...]))
        var forged = genuine
        forged.replaceSubrange(
            68..<100,
            with: MessageKeys(.random(count: 32), headerNonce: parts.headerNonce).commitment
        )
        #expect(Self.open(forged, &bob) == nil)
        #expect(Self.open(genuine, &bob) == "genuine")
    }

    @Test("Damaged messages never trap, never open and change nothing", arguments: [31, 32] as [UInt64])
    func damage(seed: UInt64) throws {
        var (alice, bob) = try Self.pair()
        #expect(Self.open(try Self.seal("0", &alice), &bob) == "0")
        let message = try Self.seal("genuine", &alice)
        var random = SeededBytes(seed: seed)
        for _ in 0..<10_000 {
            #expect(Self.open(random.damaged(message), &bob) == nil)
        }
        #expect(Self.open(message, &bob) == "genuine")
    }

    @Test("Genuine headers with damaged bodies change nothing", arguments: [33] as [UInt64])
    func damagedBodies(seed: UInt64) throws {
        var (alice, bob) = try Self.pair()
        let message = try Self.seal("genuine", &alice)
        var random = SeededBytes(seed: seed)
        for _ in 0..<2_000 {
            let damaged = Array(message.prefix(68)) + random.damaged(Array(message.dropFirst(68)))
            #expect(Self.open(damaged, &bob) == nil)
        }
        #expect(bob.receiving == nil)
        #expect(Self.open(message, &bob) == "genuine")
    }
}
