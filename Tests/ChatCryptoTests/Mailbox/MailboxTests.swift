import MeshCore
import Testing

@testable import ChatCrypto

@Suite("Mailboxes")
struct MailboxTests {
    private static let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 32))

    /// The mailboxes of both sides of a session that was made on a day.
    private static func pair(day: UInt32 = 20_000) throws -> (alice: Mailboxes, bob: Mailboxes) {
        let people = try KnownPeople()
        let ids = [people.alice, people.bob].map(\.publicIdentity.id)
        func side(_ isInitiator: Bool) -> Mailboxes {
            Mailboxes(
                secret: secret,
                initiator: ids[0],
                responder: ids[1],
                isInitiator: isInitiator,
                madeAt: day * 86_400,
                now: day * 86_400
            )
        }
        return (side(true), side(false))
    }

    @Test("The secret of a session gives the known keys and tags", arguments: try VectorFile("mailbox").cases)
    func knownAnswers(known: VectorCase) throws {
        let mailboxes = Mailboxes(
            secret: SecretBytes(copying: try known.bytes("secret")),
            initiator: try #require(PeerID(bytes: known.bytes("initiator"))),
            responder: try #require(PeerID(bytes: known.bytes("responder"))),
            isInitiator: true,
            madeAt: UInt32(try known.number("time")),
            now: UInt32(try known.number("time"))
        )
        let chain = try known.text("direction") == "ab" ? mailboxes.outgoing : mailboxes.incoming
        let day = UInt32(try known.number("day"))
        #expect(try chain.key(of: day)?.exposed == known.bytes("key"))
        #expect(try chain.tag(of: day)?.bytes == known.bytes("tag"))
    }

    @Test("Mail over midnight is found both ways, though the clocks are 23 hours apart")
    func clocks() throws {
        var (alice, bob) = try Self.pair()
        for hour in stride(from: UInt32(0), to: 24 * 30, by: 5) {
            let (early, late) = (20_000 * 86_400 + hour * 3_600, 20_000 * 86_400 + (hour + 23) * 3_600)
            _ = (alice.forgetPast(on: Mailboxes.day(at: early)), bob.forgetPast(on: Mailboxes.day(at: late)))
            let (aliceDay, bobDay) = (Mailboxes.day(at: early), Mailboxes.day(at: late))
            let toBob = try #require(alice.outgoing.tag(of: aliceDay))
            let toAlice = try #require(bob.outgoing.tag(of: bobDay))
            #expect(bob.tagsToRead(on: bobDay).contains(toBob) && alice.tagsToRead(on: aliceDay).contains(toAlice))
            #expect(toBob != toAlice)
        }
    }

    @Test("A prekey message that states a time far off begins no chain far off", arguments: [0, .max, 20_000 * 86_400])
    func statedTime(time: UInt32) throws {
        let people = try KnownPeople()
        let (initiator, responder) = (people.alice.publicIdentity.id, people.bob.publicIdentity.id)
        let now: UInt32 = 20_000 * 86_400
        let mailboxes = Mailboxes(
            secret: Self.secret,
            initiator: initiator,
            responder: responder,
            isInitiator: false,
            madeAt: time,
            now: now
        )
        #expect((19_984...20_002).contains(mailboxes.incoming.firstDay))
        #expect(time != now || mailboxes.incoming.firstDay == 20_000)
    }

    @Test("After seven days off all mail is found, and no key of an earlier day is left")
    func absence() throws {
        var (alice, bob) = try Self.pair()
        let tags = try (20_000...20_007 as ClosedRange<UInt32>).map { day in
            _ = alice.forgetPast(on: day)
            return try #require(alice.outgoing.tag(of: day))
        }
        #expect(!bob.tagsToRead(on: 20_007).contains(tags[0]))
        #expect(Set(tags).isSubset(of: bob.tagsToRead(on: 20_007, wasAbsent: true)))
        let old = try (19_999...20_006 as ClosedRange<UInt32>).compactMap {
            try Self.pair().bob.incoming.key(of: $0)?.exposed
        }
        let forgets = (0..<2).map { _ in bob.forgetPast(on: 20_015) }
        #expect(forgets == [true, false])
        #expect(bob.incoming.firstDay == 20_007 && bob.incoming.tag(of: 20_006) == nil)
        #expect(bob.incoming.tag(of: 20_007) == tags[7])
        var writer = SecretWriter()
        bob.encode(into: &writer)
        let state = writer.finish().exposed
        #expect(old.count == 7 && old.allSatisfy { state.firstRange(of: $0) == nil })
        // The day never goes back, and a clock that is a century off costs no century of steps.
        let goesBack = bob.forgetPast(on: 20_001)
        #expect(!goesBack && bob.incoming.tag(of: .max) == nil)
    }

    @Test("A token lets its holder write to its owner, and read the owner's bundle of the day")
    func token() throws {
        let people = try KnownPeople()
        let (owner, token) = (people.alice.publicIdentity.id, SecretBytes(copying: Array(1...16)))
        let mine = try #require(Mailboxes(token: token, of: owner, isOwner: true, from: 20_000))
        let theirs = try #require(Mailboxes(token: token, of: owner, isOwner: false, from: 20_000))
        #expect(mine.incoming.tag(of: 20_004) == theirs.outgoing.tag(of: 20_004))
        let bundle = try Person().table.bundle
        let (key, other) = (mine.outgoing.mailbox(of: 20_004), mine.outgoing.mailbox(of: 20_005))
        let mail = try #require(key).seal(try #require(MailboxMessage(bundle: bundle)))
        // It is as long as a prekey message.
        #expect(mail.count == MailboxKey.overheadByteCount + 2_060)
        #expect(theirs.incoming.mailbox(of: 20_004)?.open(mail)?.bundle?.bytes == bundle.bytes)
        #expect(other?.open(mail) == nil && mine.incoming.mailbox(of: 20_004)?.open(mail) == nil)
        #expect(Mailboxes(token: SecretBytes(copying: [1]), of: owner, isOwner: true, from: 1) == nil)
    }

    @Test("The tags of a group differ by epoch and day")
    func group() throws {
        let group = try #require(GroupID(bytes: [UInt8](repeating: 1, count: 16)))
        let keys = [Self.secret, SecretBytes(copying: [UInt8](repeating: 8, count: 32))]
        let tags = keys.flatMap { key in
            (20_000...20_001 as ClosedRange<UInt32>).map { MailboxTag(of: group, headerKey: key, day: $0) }
        }
        #expect(Set(tags).count == 4)
        #expect(MailboxTag(of: group, headerKey: Self.secret, day: 20_000) == tags[0])
    }

    @Test("A session keeps its mailboxes over a restart, and forgets past days also without messages")
    func sessions() throws {
        var (alice, bob) = (try Person(), try Person())
        _ = try bob.receive(alice.send("hello", to: bob))
        let day = Mailboxes.day(at: Person.start)
        let outgoing = try #require(alice.table.mailboxes(of: bob.card.id).first?.outgoing.tag(of: day))
        #expect(bob.table.mailboxes(of: alice.card.id).first?.tagsToRead(on: day).contains(outgoing) == true)
        try alice.restart()
        #expect(alice.table.mailboxes(of: bob.card.id).first?.outgoing.tag(of: day) == outgoing)
        let later = Person.start + 3 * 86_400
        alice.update { $0.expire(at: later) }
        #expect(alice.table.mailboxes(of: bob.card.id).first?.outgoing.firstDay == day + 2)
        try alice.restart()
        #expect(alice.table.mailboxes(of: bob.card.id).first?.outgoing.tag(of: day) == nil)
    }

    @Test("Requests hold fifteen tags each, and all have one size", arguments: [0, 1, 15, 16, 40])
    func watches(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let tags = try (0..<count).map { try #require(MailboxTag(bytes: [UInt8](repeating: UInt8($0), count: 16))) }
        let requests = MailboxWatch.requests(for: tags, using: &random)
        #expect(requests.count == (count + 14) / 15 && requests.allSatisfy { $0.count == 252 })
        #expect(Set(tags).isSubset(of: requests.flatMap { MailboxWatch.tags(in: $0) ?? [] }))
        #expect(MailboxWatch.tags(in: [UInt8](repeating: 0, count: 251)) == nil)
    }
}
