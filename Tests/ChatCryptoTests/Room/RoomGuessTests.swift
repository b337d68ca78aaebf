import Testing

@testable import ChatCrypto

@Suite("Guessing at a room")
struct RoomGuessTests {
    @Test("1,000 guesses from 1,000 identities burn the code after 20")
    func thousandIdentities() throws {
        var doorway = try Doorway()
        let code = try #require(doorway.host.code).text
        var answers: [String: Int] = [:]
        var events: [RoomHostEvent] = []
        for index in 0..<1_000 {
            let now = Doorway.now + UInt32(index) * RoomLimits.slowInterval / 10
            let shown = doorway.host.code?.text
            var joiner = try Newcomer(wrongFor: doorway.host).joiner
            let beacon = try doorway.beacon(at: now)
            guard joiner.isFor(beacon) else { continue }
            let step = try doorway.receive(try joiner.knock(at: beacon), at: now)
            events += step.events
            if step.reply != nil, let shown { answers[shown, default: 0] += 1 }
        }
        #expect(answers[code] == RoomLimits.maximumFailures)
        #expect(answers.values.sorted() == [20, 20, 20])
        #expect(
            events == [
                .codeBurnt(.failures), .codeChanged, .codeBurnt(.failures), .codeChanged, .codeBurnt(.failures),
                .doorShut,
            ]
        )
        #expect(doorway.host.isShut && doorway.host.code == nil && doorway.host.failures == 20)
        #expect(try doorway.beacon().isShut)
    }

    @Test("After five failures there is an answer every five seconds, for whomever")
    func slowAnswers() throws {
        var doorway = try Doorway()
        for _ in 0..<RoomLimits.slowFailures { #expect(try doorway.guess()) }
        let code = try #require(doorway.host.code)
        var honest = try Newcomer(.code(code))
        #expect(try doorway.join(&honest.joiner) == nil)
        #expect(try !doorway.guess(at: Doorway.now + RoomLimits.slowInterval - 1))
        #expect(doorway.host.failures == RoomLimits.slowFailures)
        let hello = try #require(honest.joiner.pendingFlight)
        #expect(try doorway.receive(hello, at: Doorway.now + RoomLimits.slowInterval).reply != nil)
        #expect(try !doorway.guess(at: Doorway.now + RoomLimits.slowInterval))
    }

    @Test("A good proof takes back what its answer counted, and does not forgive others' guesses")
    func goodProof() throws {
        var doorway = try Doorway()
        for _ in 0..<4 { _ = try doorway.guess() }
        var guest = try Newcomer(.code(try #require(doorway.host.code)))
        #expect(try doorway.join(&guest.joiner) != nil)
        #expect(doorway.host.failures == 4)
    }

    @Test("A code lives for ten minutes; only one that was guessed at counts as burnt")
    func codeLife() throws {
        var doorway = try Doorway()
        let first = try #require(doorway.host.code).text
        #expect(doorway.host.expire(at: Doorway.now + RoomLimits.codeLife - 1).isEmpty)
        #expect(doorway.host.expire(at: Doorway.now + RoomLimits.codeLife) == [.codeBurnt(.age), .codeChanged])
        #expect(doorway.host.burntCodes == 0 && doorway.host.code?.text != first)
        var late = try Newcomer(.code(try #require(RoomCode(first))))
        let joined = try doorway.join(&late.joiner, at: Doorway.now + RoomLimits.codeLife)
        #expect(joined == nil)
        #expect(doorway.host.expire(at: Doorway.now + 2 * RoomLimits.codeLife) == [.codeBurnt(.age), .codeChanged])
        #expect(doorway.host.burntCodes == 1)
    }

    @Test("Three codes that were guessed at shut the door, and honest joins in between change nothing")
    func threeCodes() throws {
        var doorway = try Doorway()
        for round in 0..<3 {
            let now = Doorway.now + UInt32(round) * RoomLimits.codeLife
            #expect(!doorway.host.isShut && doorway.host.burntCodes == round)
            _ = try doorway.guess(at: now)
            var guest = try Newcomer(.code(try #require(doorway.host.code)))
            #expect(try doorway.join(&guest.joiner, at: now) != nil)
            _ = doorway.host.expire(at: now + RoomLimits.codeLife)
        }
        #expect(doorway.host.isShut)
        doorway.host.openDoor(at: Doorway.now)
        #expect(!doorway.host.isShut && doorway.host.burntCodes == 0 && doorway.host.failures == 0)
    }

    @Test("A restart burns the code, and what was counted stays counted")
    func restart() throws {
        var doorway = try Doorway(.approval)
        let first = try #require(doorway.host.code).text
        let invite = try #require(doorway.host.invite).text
        var guest = try Newcomer(.code(try #require(doorway.host.code)))
        _ = try doorway.join(&guest.joiner)
        func restart() throws {
            let record = try #require(doorway.host.saved().saved.first)
            doorway.host = try RoomHost(restoring: record, as: doorway.identity, at: Doorway.now)
        }
        try restart()
        #expect(doorway.host.code?.text != first && doorway.host.invite?.text == invite)
        #expect(doorway.host.burntCodes == 0 && doorway.host.pending.count == 1)
        for count in 1...3 {
            _ = try doorway.guess()
            try restart()
            #expect(doorway.host.burntCodes == count)
        }
        #expect(doorway.host.isShut && doorway.host.admission == .approval)
        try restart()
        #expect(doorway.host.isShut)
    }

    @Test("A damaged record of a host is refused", arguments: [1, 2] as [UInt64])
    func damagedRecord(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        let doorway = try Doorway()
        let record = try #require(doorway.host.saved().saved.first)
        for _ in 0..<200 {
            let value = SecretBytes(copying: seeded.damaged(record.value.exposed))
            let damaged = StoredRecord(id: record.id, value: value)
            guard let host = try? RoomHost(restoring: damaged, as: doorway.identity, at: Doorway.now) else { continue }
            #expect(host.pending.count <= RoomLimits.maximumPending)
        }
        let other = StoredRecord(id: StoredRecord.ID(kind: .group, bytes: record.id.bytes), value: record.value)
        #expect(throws: CryptoError(.malformed, "")) {
            try RoomHost(restoring: other, as: doorway.identity, at: Doorway.now)
        }
    }

    @Test("A typed code is good for three runs, whichever hosts they are with")
    func threeRuns() throws {
        var doorway = try Doorway()
        var joiner = try Newcomer(wrongFor: doorway.host).joiner
        for run in 1...3 {
            let answer = try doorway.receive(try joiner.knock(at: try doorway.beacon())).reply
            guard case .wrongCode(let isLast) = joiner.receive(try packet(answer))
            else {
                Issue.record("the code is wrong")
                return
            }
            #expect(isLast == (run == 3))
        }
        let beacon = try doorway.beacon()
        #expect(throws: CryptoError(.codeUsedUp, "")) { try joiner.knock(at: beacon) }
    }

    @Test("An impostor without the code learns nothing, and has one try a run")
    func impostor() throws {
        let genuine = try Doorway()
        let code = try #require(genuine.host.code)
        var guest = try Newcomer(.code(code))
        // The same room under other keys. The joiner detects the impostor because it does not have the code.
        let identity = Identity()
        var impostor = RoomHost(room: genuine.host.room, as: identity, admission: .code, at: Doorway.now)
        let beacon = impostor.beacon(remainingSeconds: 0, at: Doorway.now)
        guard case .hello(let hello) = RoomPacket(decoding: try guest.joiner.knock(at: beacon)) else { return }
        let answer = impostor.receive(hello, at: Doorway.now).reply
        guard case .wrongCode(isLast: false) = guest.joiner.receive(try packet(answer)) else {
            Issue.record("it has another code")
            return
        }
        guard case .ignored = guest.joiner.receive(try packet(answer)) else {
            Issue.record("a second answer would be a second guess")
            return
        }
    }

    @Test("A host is no guest of its own room, and a code goes to rooms of its door only")
    func wrongRooms() throws {
        var doorway = try Doorway()
        let code = try #require(doorway.host.code)
        let beacon = try doorway.beacon()
        var own = RoomJoiner(with: .code(code), bundle: doorway.bundle)
        #expect(throws: CryptoError(.wrongRoom, "")) { try own.knock(at: beacon) }
        let other = (code.door + 1) % 100
        var guest = try Newcomer(.code(try #require(RoomCode((other < 10 ? "0" : "") + "\(other)000000"))))
        #expect(throws: CryptoError(.wrongRoom, "")) { try guest.joiner.knock(at: beacon) }
        #expect(guest.joiner.runCount == 0)
        // The host's own card in the join message of another joiner.
        let card = JoinCard(of: doorway.identity.publicIdentity)
        let point = CPace(password: code.secret, channel: [], session: []).point
        let reflected = JoinHello(lobby: beacon.lobby, point: point, card: card.bytes)
        #expect(doorway.host.receive(reflected, at: Doorway.now).reply == nil)
    }

    @Test("What is no element, or the neutral one, is not answered and not counted")
    func badPoints() throws {
        var doorway = try Doorway()
        let lobby = try #require(doorway.host.lobby)
        let card = JoinCard(of: Identity().publicIdentity)
        for point in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32)] {
            let hello = JoinHello(lobby: lobby, point: point, card: card.bytes)
            #expect(doorway.host.receive(hello, at: Doorway.now).reply == nil)
        }
        #expect(doorway.host.failures == 0)
    }

    @Test("32 joins are under way at once, and each for a minute")
    func runLimit() throws {
        var doorway = try Doorway(.open)
        func knock(at now: UInt32 = Doorway.now) throws -> Bool {
            var guest = try Newcomer(.nothing)
            return try doorway.receive(try guest.joiner.knock(at: try doorway.beacon()), at: now).reply != nil
        }
        for _ in 0..<RoomLimits.maximumRuns { #expect(try knock()) }
        #expect(try !knock(at: Doorway.now + RoomLimits.runLife - 1))
        #expect(doorway.host.runs.count == RoomLimits.maximumRuns)
        #expect(try knock(at: Doorway.now + RoomLimits.runLife))
        #expect(doorway.host.runs.count == 1)
    }
}
