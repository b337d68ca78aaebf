import Testing

@testable import ChatCrypto

@Suite("Session table")
struct SessionTableTests {
    private static let day: UInt32 = 86_400

    @Test("The first message carries the flight, and after the answer nothing does")
    func kinds() throws {
        var alice = try Person()
        var bob = try Person()
        let first = try alice.send("one", to: bob)
        let second = try alice.send("two", to: bob)
        #expect(first.kind == .prekey && second.kind == .prekey)
        #expect(first.body[16..<1_273] == second.body[16..<1_273])
        #expect(try bob.receive(second) == "two")
        #expect(try bob.receive(first) == "one")
        let answer = try bob.send("three", to: alice)
        #expect(answer.kind == .sealed)
        #expect(try alice.receive(answer) == "three")
        #expect(try alice.send("four", to: bob).kind == .sealed)
        #expect(alice.table.sessionCount == 1 && bob.table.sessionCount == 1)
        #expect(alice.primary(with: bob) == bob.primary(with: alice))
    }

    @Test("The sender is who holds the keys, whatever the content says")
    func senderIsCertain() throws {
        var mallory = try Person()
        let bob = try Person()
        let alice = try Person()
        let packet = try mallory.send("I am \(alice.card.id)", to: bob)
        let opened = try #require(bob.table.open(packet, at: Person.start))
        #expect(opened.sender == mallory.card)
        #expect(opened.isPrekeyMessage)
    }

    @Test("A packet for somebody else opens for nobody")
    func notForMe() throws {
        var pair = try Pair()
        let eve = try Person()
        let packet = try pair.alice.send("secret", to: pair.bob)
        #expect(eve.table.open(packet, at: Person.start) == nil)
        #expect(pair.alice.table.open(packet, at: Person.start) == nil)
    }

    @Test("Nothing but session kinds opens, and no session means no content", arguments: CarrierKind.allCases)
    func noPlaintextPath(kind: CarrierKind) throws {
        let bob = try Person()
        var random = SeededBytes(seed: UInt64(kind.rawValue) + 40)
        for size in Padding.buckets {
            let body = random.bytes(size - 4 + kind.uncountedByteCount)
            #expect(bob.table.open(InboundPacket(kind: kind, body: body), at: Person.start) == nil)
        }
        for count in 0..<300 {
            #expect(bob.table.open(InboundPacket(kind: kind, body: random.bytes(count)), at: Person.start) == nil)
        }
    }

    @Test("Oneself is refused as a peer")
    func oneself() throws {
        var alice = try Person()
        let copy = alice
        #expect(throws: CryptoError(.ownIdentity, "")) { try alice.send("me", to: copy) }
    }

    @Test("Without a session a usable bundle of that very peer is needed")
    func needsBundle() throws {
        var alice = try Person()
        let bob = try Person()
        let eve = try Person()
        let now = Person.start
        var table = alice.table
        #expect(throws: CryptoError(.needsBundle, "")) { try table.seal([1], to: bob.card, bundle: nil, at: now) }
        #expect(throws: CryptoError(.needsBundle, "")) {
            try table.seal([1], to: bob.card, bundle: eve.table.bundle, at: now)
        }
        let late = now + 9 * Self.day
        #expect(throws: CryptoError(.expired, "")) {
            try table.seal([1], to: bob.card, bundle: bob.table.bundle, at: late)
        }
        #expect(throws: CryptoError(.notAnswered, "")) {
            try table.seal([1], as: .live, to: bob.card, bundle: bob.table.bundle, at: now)
        }
        #expect(!table.canSeal(to: bob.card.id, at: now))
        _ = try alice.send("hello", to: bob)
        #expect(alice.table.canSeal(to: bob.card.id, at: now))
        #expect(throws: CryptoError(.notAnswered, "")) { try alice.send("typing", to: bob, as: .live) }
    }

    @Test("A flight that was never answered is not used beyond the end of its bundle")
    func staleFlight() throws {
        var alice = try Person()
        var bob = try Person()
        let first = try alice.send("one", to: bob)
        let later = Person.start + 8 * Self.day
        bob.update { $0.expire(at: later) }
        let second = try alice.send("two", to: bob, at: later)
        #expect(first.body[16..<48] != second.body[16..<48])
        #expect(try bob.receive(second, at: later) == "two")
    }

    @Test("Content is 1 byte to what the largest envelope holds")
    func contentSize() throws {
        var pair = try Pair()
        let bob = pair.bob
        let now = Person.start
        func seal(_ count: Int) throws -> Int {
            let content = [UInt8](repeating: 7, count: count)
            return try pair.alice.table.sealed(content, to: bob.card, at: now).body.count
        }
        #expect(try seal(1) == 16 + 252)
        #expect(try seal(SessionLimits.maximumContentByteCount) == 16 + 16_380)
        #expect(throws: CryptoError(.contentSize, "")) { try seal(SessionLimits.maximumContentByteCount + 1) }
        #expect(throws: CryptoError(.contentSize, "")) { try seal(0) }
    }

    @Test("Live messages and probes travel on an answered session, in their sizes")
    func liveAndProbe() throws {
        var pair = try Pair()
        let live = try pair.alice.send("typing", to: pair.bob, as: .live)
        #expect(live.kind == .live && live.body.count == 252)
        let probe = try pair.alice.send("where are you", to: pair.bob, as: .probe)
        #expect(probe.kind == .probe && probe.body.count == 252)
        let opened = try #require(pair.bob.table.open(live, at: Person.start))
        #expect(opened.deliveryProof == nil)
        #expect(try pair.bob.receive(probe) == "where are you")
        #expect(try pair.bob.receive(live) == "typing")
        #expect(throws: CryptoError(.contentSize, "")) {
            try pair.alice.send(String(repeating: "x", count: 132), to: pair.bob, as: .probe)
        }
    }

    @Test("What goes to a peer is counted until it says something")
    func unanswered() throws {
        var pair = try Pair()
        func count() -> Int { pair.alice.table.unansweredCount(to: pair.bob.card.id) }
        let before = count()
        let messages = try (0..<3).map { try pair.alice.send("\($0)", to: pair.bob) }
        #expect(count() == before + 3)
        for message in messages { _ = try pair.bob.receive(message) }
        #expect(count() == before + 3)
        _ = try pair.alice.receive(pair.bob.send("here", to: pair.alice))
        #expect(count() == 0)
        #expect(pair.alice.table.unansweredCount(to: try Person().card.id) == 0)
    }

    @Test("The recipient learns the preimage that the envelope's release hash names")
    func release() throws {
        var pair = try Pair()
        let now = Person.start
        let sealed = try pair.alice.table.sealed([1, 2, 3], to: pair.bob.card, at: now)
        #expect(Array(sealed.body.prefix(16)) == sealed.deliveryProof.hash)
        let packet = InboundPacket(kind: sealed.kind, body: sealed.body)
        let opened = try #require(pair.bob.table.open(packet, at: now))
        #expect(opened.deliveryProof == sealed.deliveryProof)
        #expect(pair.bob.table.open(packet.flipped(bit: 3), at: now) == nil)
    }

    @Test("Every bit of a packet turned, and nothing opens; the genuine packet still does", arguments: [true, false])
    func everyBit(isFirst: Bool) throws {
        var pair = try Pair()
        var bob = pair.bob
        var unknownPeer = try Person()
        let packet = try isFirst ? unknownPeer.send("genuine", to: bob) : pair.alice.send("genuine", to: bob)
        for bit in 0..<(packet.body.count * 8) {
            #expect(bob.table.open(packet.flipped(bit: bit), at: Person.start) == nil, "bit \(bit)")
        }
        #expect(try bob.receive(packet) == "genuine")
    }

    @Test("Packets cut and joined between sessions, directions and peers open nowhere")
    func splices() throws {
        var one = try Pair()
        var other = try Pair()
        let packets = [
            try one.alice.send("a", to: one.bob), try one.bob.send("b", to: one.alice),
            try other.alice.send("c", to: other.bob), try one.alice.send("d", to: one.bob),
        ]
        let people = [one.alice, one.bob, other.alice, other.bob]
        for (first, head) in packets.enumerated() {
            for (second, tail) in packets.enumerated() where first != second {
                // The cuts follow the release hash, the nonce, the header and the commitment.
                for cut in [16, 28, 84, 116] {
                    let spliced = head.with(Array(head.body.prefix(cut)) + tail.body.dropFirst(cut))
                    guard spliced != tail, spliced != head else { continue }
                    for person in people { #expect(person.table.open(spliced, at: Person.start) == nil) }
                }
            }
        }
    }

    @Test("A replayed first flight delivers nothing again, before a restart, after it, and after teardown")
    func flightReplay() throws {
        var alice = try Person()
        var bob = try Person()
        let packet = try alice.send("once", to: bob)
        #expect(try bob.receive(packet) == "once")
        #expect(try bob.receive(packet) == nil)
        try bob.restart()
        #expect(try bob.receive(packet) == nil)
        bob.update { $0.teardown(alice.card.id) }
        #expect(try bob.receive(packet) == nil)
        try bob.restart()
        #expect(try bob.receive(packet) == nil)
        #expect(bob.table.sessionCount == 0)
        #expect(bob.store.count(.prekeyMessage) == 1)
    }

    @Test("A flight with a known ephemeral key and other bytes is dropped")
    func ephemeralReused() throws {
        var alice = try Person()
        var bob = try Person()
        let packet = try alice.send("once", to: bob)
        #expect(try bob.receive(packet) == "once")
        let next = try alice.send("next", to: bob)
        #expect(bob.table.open(next.flipped(bit: (16 + 40) * 8), at: Person.start) == nil)
        #expect(try bob.receive(next) == "next")
    }

    @Test("Accepted flights are forgotten with their prekey, and then open no more")
    func replayCacheExpires() throws {
        var alice = try Person()
        var bob = try Person()
        let packet = try alice.send("once", to: bob)
        #expect(try bob.receive(packet) == "once")
        let later = Person.start + 16 * Self.day
        bob.update { $0.expire(at: later) }
        #expect(bob.store.count(.prekeyMessage) == 0)
        #expect(bob.store.count(.prekey) == 1)
        #expect(try bob.receive(packet, at: later) == nil)
    }

    @Test("A message opened before others were sent does not undo them")
    func staleCommit() throws {
        var pair = try Pair()
        let packet = try pair.alice.send("opened early", to: pair.bob)
        let opened = try #require(pair.bob.table.open(packet, at: Person.start))
        let sent = try pair.bob.send("in between", to: pair.alice)
        try pair.bob.update { try $0.commit(opened, sentAt: nil) }
        let after = try pair.bob.send("after", to: pair.alice)
        #expect(try pair.alice.receive(sent) == "in between")
        #expect(try pair.alice.receive(after) == "after")
        var table = pair.bob.table
        #expect(throws: CryptoError(.stale, "")) { try table.commit(opened, sentAt: nil) }
    }

    @Test("Prekeys rotate daily, and their secrets go after 15 days")
    func prekeys() throws {
        var bob = try Person()
        let first = bob.table.bundle
        bob.update { $0.expire(at: Person.start + 21 * 3_600) }
        #expect(bob.table.bundle == first)
        bob.update { $0.expire(at: Person.start + 26 * 3_600) }
        #expect(bob.table.bundle.supersedes(first))
        for day in UInt32(2)...40 {
            bob.update { $0.expire(at: Person.start + day * Self.day + 7_200) }
            #expect(bob.store.count(.prekey) <= 17)
        }
        #expect(bob.table.prekeys.prekey(first.sequence) == nil)
        bob.update { $0.rename(to: try? Nickname("Robert"), at: Person.start + 40 * Self.day + 7_200) }
        #expect(bob.table.bundle.nickname?.text == "Robert")
    }

    @Test("A home restored from a copy of ten days ago publishes a bundle above all that it had published since")
    func restoredCopy() throws {
        var bob = try Person()
        bob.update { $0.expire(at: Person.start + Self.day + 7_200) }
        let copy = bob
        for day in UInt32(2)...11 { bob.update { $0.expire(at: Person.start + day * Self.day + 7_200) } }
        var restored = copy
        restored.update { $0.expire(at: Person.start + 11 * Self.day + 10_800) }
        #expect(restored.table.bundle.supersedes(bob.table.bundle))
    }

    @Test("Only so many prekeys are kept, however often the name changes")
    func prekeyLimit() throws {
        var bob = try Person()
        for number in 0..<(PrekeyRing.maximumCount + 10) {
            bob.update { $0.rename(to: try? Nickname("bob \(number)"), at: Person.start) }
        }
        #expect(bob.store.count(.prekey) == PrekeyRing.maximumCount)
    }

    @Test("A prekey made with a clock that ran ahead is replaced")
    func clockSetBack() throws {
        var bob = try Person(at: Person.start + 100 * Self.day)
        let wrong = bob.table.bundle
        bob.update { $0.expire(at: Person.start) }
        #expect(bob.table.bundle.supersedes(wrong))
        #expect(bob.table.bundle.isUsable(at: Person.start))
    }
}

extension SessionTable {
    /// Seals raw content on an answered session.
    mutating func sealed(_ content: [UInt8], to peer: PublicIdentity, at now: UInt32) throws -> SealedMessage {
        try seal(content, to: peer, bundle: nil, at: now).message
    }
}
