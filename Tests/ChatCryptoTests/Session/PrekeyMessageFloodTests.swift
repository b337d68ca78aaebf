import Bytes
import Testing

@testable import ChatCrypto

@Suite("Floods of first flights")
struct PrekeyMessageFloodTests {
    private static let limit = SessionLimits.unknownPeerMessagesPerPrekey

    /// Fills the limit of the published prekey with variants of the prekey message of an unknown peer.
    private func flood(
        _ bob: inout Person,
        to limit: Int = PrekeyMessageFloodTests.limit,
        at now: UInt32 = Person.start
    ) throws {
        var unknownPeer = try Person()
        let prekeyMessage = Array(try unknownPeer.send("junk", to: bob, at: now).body[16..<1_273])
        let opened = try OpenedPrekeyMessage(prekeyMessage[...], recipient: bob.identity, prekeys: bob.table.prekeys)
        let sequence = bob.table.bundle.sequence
        var number = UInt32(0)
        while bob.table.replays.unknownPeerCount(under: sequence) < limit {
            let other = number.bigEndianBytes + prekeyMessage.dropFirst(4)
            bob.table.replays.insert(ReplayCache.Entry(prekeyMessage: other, opened: opened, isOfUnknownPeer: true))
            number += 1
        }
    }

    @Test("A prekey takes so many flights of strangers; a known peer's is taken whatever the table holds")
    func limit() throws {
        var bob = try Person()
        var people = [try Person(), try Person()]
        try flood(&bob, to: Self.limit - 1)
        let packets = [try people[0].send("last", to: bob), try people[1].send("too late", to: bob)]
        #expect(try bob.receive(packets[0]) == "last")
        #expect(bob.table.open(packets[1], at: Person.start) == nil)
        let known = people[1].card.id
        let opened = try #require(bob.table.open(packets[1], at: Person.start) { $0 == known })
        try bob.update { try $0.commit(opened, sentAt: nil) }
        #expect(bob.table.open(packets[1], at: Person.start) { $0 == known } == nil)
        #expect(bob.table.replays.unknownPeerCount(under: bob.table.bundle.sequence) == Self.limit)
    }

    @Test("65,536 flights of strangers keep neither a contact nor a new person out for longer than one prekey")
    func flood65536() throws {
        var bob = try Person()
        var contact = try Person()
        let early = try contact.send("before the flood", to: bob)
        let now = Person.start + 7_200
        for _ in 0..<64 {
            try flood(&bob)
            var newMember = try Person()
            #expect(bob.table.open(try newMember.send("now?", to: bob), at: now) == nil)
            bob.update { $0.expire(at: now) }
            #expect(try bob.receive(try Person.fresh(writing: "and now?", to: bob), at: now) == "and now?")
        }
        #expect(bob.table.prekeys.prekeys.count == PrekeyRing.maximumCount)
        #expect(bob.table.replays.count <= PrekeyRing.maximumCount * Self.limit)
        let id = contact.card.id
        let opened = try #require(bob.table.open(early, at: now) { $0 == id })
        try bob.update { try $0.commit(opened, sentAt: nil) }
        try bob.restart(at: now)
        #expect(bob.table.open(early, at: now) { $0 == id } == nil)
    }

    @Test("Of too many prekeys the first to go is one that was published for less than an hour; its flights go with it")
    func briefPrekeysGoFirst() throws {
        var bob = try Person()
        let first = bob.table.bundle.sequence
        let now = Person.start + 26 * 3_600
        bob.update { $0.expire(at: now) }
        var newMember = try Person()
        #expect(try bob.receive(try newMember.send("brief", to: bob, at: now), at: now) == "brief")
        for _ in 0..<PrekeyRing.maximumCount {
            try flood(&bob, to: Self.limit / 2, at: now)
            bob.update { $0.expire(at: now) }
        }
        let sequences = bob.table.prekeys.prekeys.map(\.bundle.sequence)
        let brief = now / 3_600
        #expect(sequences.count == PrekeyRing.maximumCount)
        #expect(sequences.first == first && !sequences.contains(brief))
        #expect(bob.table.replays.count <= PrekeyRing.maximumCount * Self.limit)
        #expect(bob.store.count(.prekeyMessage) == 0)
    }

    @Test("Of one peer a prekey takes 64 flights, and the next prekey the one after", arguments: [false, true])
    func limitOfPeer(isKnown: Bool) throws {
        var bob = try Person()
        var alice = try Person()
        let bobID = bob.card.id
        func prekeyMessage(_ number: Int) throws -> InboundPacket {
            alice.update {
                $0.resetSession(with: bobID); return SessionChange()
            }
            return try alice.send("\(number)", to: bob)
        }
        func isTaken(_ number: Int) throws -> Bool {
            guard let opened = bob.table.open(try prekeyMessage(number), at: Person.start, isKnown: { _ in isKnown })
            else {
                return false
            }
            try bob.update { try $0.commit(opened, sentAt: nil) }
            return true
        }
        for number in 0..<SessionLimits.messagesPerPeerAndPrekey { #expect(try isTaken(number)) }
        for number in 100..<110 { #expect(try !isTaken(number)) }
        try bob.restart()
        #expect(try !isTaken(200))
        #expect(bob.store.count(.prekeyMessage) == SessionLimits.messagesPerPeerAndPrekey)
        try bob.update { $0.rename(to: try Nickname("Bob"), at: Person.start) }
        #expect(try isTaken(300))
    }

    @Test("The flights of strangers are counted on after a restart")
    func restart() throws {
        var bob = try Person()
        for number in 0..<3 { #expect(try bob.receive(try Person.fresh(writing: "\(number)", to: bob)) == "\(number)") }
        try bob.restart()
        #expect(bob.table.replays.unknownPeerCount(under: bob.table.bundle.sequence) == 3)
    }
}

extension Person {
    /// Makes a packet with the prekey message (prekey message) of a new person.
    fileprivate static func fresh(writing text: String, to peer: Person) throws -> InboundPacket {
        var person = try Person()
        return try person.send(text, to: peer)
    }
}
