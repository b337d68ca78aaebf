import Testing

@testable import ChatCrypto

@Suite("Several sessions")
struct SessionRulesTests {
    private static let day: UInt32 = 86_400

    @Test("The copy of a session neither reads what its successor brings, nor finds its mail")
    func renewed() throws {
        var pair = try Pair()
        let (day, end) = (UInt32(86_400), Person.start + SessionLimits.renewalSeconds)
        let bobID = pair.bobID
        #expect(!pair.alice.table.isOld(with: bobID, at: end - 1) && pair.alice.table.isOld(with: bobID, at: end))
        pair.bob.update { $0.expire(at: end) }
        let thief = pair.bob
        pair.alice.update {
            $0.resetSession(with: bobID); return SessionChange()
        }
        let packet = try pair.alice.send("after", to: pair.bob, at: end)
        #expect(packet.kind == .prekey && !pair.alice.table.isOld(with: bobID, at: end))
        #expect(try pair.bob.receive(packet, at: end) == "after")
        #expect(try pair.alice.receive(try pair.bob.send("answer", to: pair.alice, at: end), at: end) == "answer")
        let next = try pair.alice.send("next", to: pair.bob, at: end + day)
        #expect(next.kind == .sealed && thief.table.open(next, at: end + day) == nil)
        let today = Mailboxes.day(at: end)
        let tag = try #require(pair.alice.table.mailboxes(of: bobID).first?.outgoing.tag(of: today))
        let read = { (person: Person) in
            person.table.mailboxes(of: pair.aliceID).flatMap { $0.tagsToRead(on: today) }
        }
        #expect(read(pair.bob).contains(tag) && !read(thief).contains(tag))
    }

    @Test("Both sides begin at once: under any delays they end with one primary session", arguments: [1, 2, 3, 4])
    func simultaneousInitiation(part: UInt64) throws {
        var random = SeededBytes(seed: part)
        let fresh = (try Person(), try Person())
        for schedule in 0..<250 {
            var people = [fresh.0, fresh.1]
            var wire: [(due: Int, to: Int, packet: InboundPacket)] = []
            let begin = [random.below(12), random.below(12)]
            for tick in 0..<60 {
                let now = Person.start + UInt32(tick)
                for side in 0...1
                where tick == begin[side] || tick == 58 || (tick > begin[side] && random.below(6) == 0) {
                    guard tick <= 30 || tick == 58 else { continue }
                    let packet = try people[side].send("\(tick)", to: people[1 - side], at: now)
                    wire.append((tick == 58 ? 59 : tick + 1 + random.below(24), 1 - side, packet))
                }
                for arrival in wire where arrival.due == tick {
                    #expect(try people[arrival.to].receive(arrival.packet, at: now) != nil)
                }
            }
            let primaries = [people[0].primary(with: people[1]), people[1].primary(with: people[0])]
            #expect(primaries[0] != nil && primaries[0] == primaries[1], "schedule \(part).\(schedule)")
        }
    }

    @Test("At most four sessions per peer, and the primary is not the one that goes")
    func limit() throws {
        var alice = try Person()
        var bob = try Person()
        for round in UInt32(0)..<6 {
            alice.update {
                $0.resetSession(with: bob.card.id); return SessionChange()
            }
            let packet = try alice.send("again \(round)", to: bob, at: Person.start + round)
            #expect(try bob.receive(packet, at: Person.start + round) == "again \(round)")
            #expect(alice.table.sessionCount <= SessionLimits.maximumSessionsPerPeer)
            #expect(bob.table.sessionCount <= SessionLimits.maximumSessionsPerPeer)
            #expect(alice.store.count(.session) == alice.table.sessionCount)
            #expect(bob.store.count(.session) == bob.table.sessionCount)
        }
        #expect(alice.primary(with: bob) == bob.primary(with: alice))
    }

    @Test("After the peer has lost everything, beginning again reaches it")
    func peerLostItsState() throws {
        var pair = try Pair()
        let identity = pair.bob.identity
        pair.bob.update { table in table.teardown(table.peerIDs[0]) }
        #expect(pair.bob.identity.publicIdentity == identity.publicIdentity)
        #expect(try pair.bob.receive(try pair.alice.send("into the void", to: pair.bob)) == nil)
        pair.alice.update {
            $0.resetSession(with: identity.publicIdentity.id); return SessionChange()
        }
        let again = try pair.alice.send("once more", to: pair.bob)
        #expect(again.kind == .prekey)
        #expect(try pair.bob.receive(again) == "once more")
        #expect(try pair.alice.receive(try pair.bob.send("there you are", to: pair.alice)) == "there you are")
        #expect(pair.alice.primary(with: pair.bob) == pair.bob.primary(with: pair.alice))
    }

    @Test("A retired session receives for 8 days and is gone after 9")
    func retired() throws {
        var pair = try Pair()
        let late = try pair.alice.send("late", to: pair.bob)
        let later = try pair.alice.send("too late", to: pair.bob)
        let bobID = pair.bobID
        pair.alice.update {
            $0.resetSession(with: bobID); return SessionChange()
        }
        #expect(try pair.bob.receive(try pair.alice.send("new", to: pair.bob)) == "new")
        let inTime = Person.start + 7 * Self.day
        pair.bob.update { $0.expire(at: inTime) }
        #expect(try pair.bob.receive(late, at: inTime) == "late")
        pair.bob.update { $0.expire(at: Person.start + 9 * Self.day) }
        #expect(try pair.bob.receive(later, at: Person.start + 9 * Self.day) == nil)
        #expect(pair.bob.table.sessionCount == 1 && pair.bob.store.count(.session) == 1)
    }

    @Test("Ending erases the sessions on both sides, and neither waits for the other")
    func ending() throws {
        var pair = try Pair()
        let last = try pair.bob.send("on its way", to: pair.alice)
        var ends: [SealedMessage] = []
        let bobID = pair.bobID
        pair.alice.update { table in
            let ended = table.end(with: bobID, at: Person.start)
            ends = ended.messages
            return ended.change
        }
        #expect(ends.count == 1)
        #expect(pair.alice.table.sessionCount == 0 && pair.alice.store.count(.session) == 0)
        #expect(try pair.alice.receive(last) == nil)

        let packet = InboundPacket(kind: ends[0].kind, body: ends[0].body)
        #expect(packet.body.count == 16 + 252)
        let opened = try #require(pair.bob.table.open(packet, at: Person.start))
        #expect(opened.isEnd)
        let aliceID = pair.aliceID
        try pair.bob.update { try $0.commit(opened, sentAt: nil) }
        #expect(pair.bob.table.sessionCount == 0 && pair.bob.store.count(.session) == 0)
        #expect(!pair.bob.table.canSeal(to: aliceID, at: Person.start))
        #expect(try pair.alice.send("anew", to: pair.bob).kind == .prekey)
    }

    @Test("Packets are tried with the peers used last first")
    func order() throws {
        var hub = try Person()
        var others = [try Person(), try Person(), try Person()]
        for index in others.indices { _ = try hub.receive(try others[index].send("hello", to: hub)) }
        #expect(hub.table.peerIDs == others.reversed().map(\.card.id))
        #expect(try hub.receive(try others[0].send("again", to: hub)) == "again")
        #expect(hub.table.peerIDs == [0, 2, 1].map { others[$0].card.id })
        try hub.restart(at: Person.start)
        #expect(hub.table.sessionCount == 3)
    }

    @Test("When there are too many peers, further strangers' flights are refused and known peers' are not")
    func peerLimit() throws {
        var pair = try Pair()
        var unknownPeer = try Person()
        var table = pair.bob.table
        let session = try #require(table.peers[pair.alice.card.id]?.sessions.first)
        while table.peerIDs.count < SessionLimits.maximumPeers {
            let key = randomBytes(32)
            let card = try #require(PublicIdentity(signingKey: key, agreementKey: key))
            var sessions = PeerSessions(peer: card)
            sessions.accept(session, at: Person.start)
            table.restore(sessions)
        }
        #expect(table.open(try unknownPeer.send("hello", to: pair.bob), at: Person.start) == nil)
        let bobID = pair.bobID
        pair.alice.update {
            $0.resetSession(with: bobID); return SessionChange()
        }
        #expect(table.open(try pair.alice.send("again", to: pair.bob), at: Person.start)?.isPrekeyMessage == true)
    }
}
