import Testing

@testable import ChatCrypto

@Suite("Guessing at a room")
struct RoomGuessTests {
    @Test("1,000 guesses from 1,000 identities burn the code after 20")
    func thousandIdentities() throws {
        var doorway = try AdmissionPair()
        let code = try #require(doorway.host.code).text
        var answers: [String: Int] = [:]
        var events: [RoomHostEvent] = []
        for index in 0..<1_000 {
            let now = AdmissionPair.now + UInt32(index) * RoomLimits.slowInterval / 10
            let shown = doorway.host.code?.text
            var joiner = try NewMember(wrongFor: doorway.host).joiner
            let beacon = try doorway.beacon(at: now)
            guard joiner.isFor(beacon) else { continue }
            let step = try doorway.receive(try joiner.joinRequest(at: beacon), at: now)
            events += step.events
            if step.reply != nil, let shown { answers[shown, default: 0] += 1 }
        }
        #expect(answers[code] == RoomLimits.maximumFailures)
        #expect(answers.values.sorted() == [20, 20, 20])
        #expect(
            events == [
                .codeExhausted(.failures), .codeChanged, .codeExhausted(.failures), .codeChanged,
                .codeExhausted(.failures),
                .admissionClosed,
            ]
        )
        #expect(doorway.host.isAdmissionClosed && doorway.host.code == nil && doorway.host.failures == 20)
        #expect(try doorway.beacon().isAdmissionClosed)
    }

    @Test("After five failures there is an answer every five seconds, for whomever")
    func slowAnswers() throws {
        var doorway = try AdmissionPair()
        for _ in 0..<RoomLimits.slowFailures { #expect(try doorway.guess()) }
        let code = try #require(doorway.host.code)
        var honest = try NewMember(.code(code))
        #expect(try doorway.join(&honest.joiner) == nil)
        #expect(try !doorway.guess(at: AdmissionPair.now + RoomLimits.slowInterval - 1))
        #expect(doorway.host.failures == RoomLimits.slowFailures)
        let hello = try #require(honest.joiner.pendingMessage)
        #expect(try doorway.receive(hello, at: AdmissionPair.now + RoomLimits.slowInterval).reply != nil)
        #expect(try !doorway.guess(at: AdmissionPair.now + RoomLimits.slowInterval))
    }

    @Test("A good proof takes back what its answer counted, and does not forgive others' guesses")
    func goodProof() throws {
        var doorway = try AdmissionPair()
        for _ in 0..<4 { _ = try doorway.guess() }
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        #expect(try doorway.join(&guest.joiner) != nil)
        #expect(doorway.host.failures == 4)
    }

    @Test("A code lives for ten minutes; only one that was guessed at counts as burnt")
    func codeLife() throws {
        var doorway = try AdmissionPair()
        let first = try #require(doorway.host.code).text
        #expect(doorway.host.expire(at: AdmissionPair.now + RoomLimits.codeLife - 1).isEmpty)
        #expect(
            doorway.host.expire(at: AdmissionPair.now + RoomLimits.codeLife) == [.codeExhausted(.age), .codeChanged]
        )
        #expect(doorway.host.exhaustedCodes == 0 && doorway.host.code?.text != first)
        var late = try NewMember(.code(try #require(RoomCode(first))))
        let joined = try doorway.join(&late.joiner, at: AdmissionPair.now + RoomLimits.codeLife)
        #expect(joined == nil)
        #expect(
            doorway.host.expire(at: AdmissionPair.now + 2 * RoomLimits.codeLife) == [
                .codeExhausted(.age), .codeChanged,
            ]
        )
        #expect(doorway.host.exhaustedCodes == 1)
    }

    @Test("Three codes that were guessed at shut the door, and honest joins in between change nothing")
    func threeCodes() throws {
        var doorway = try AdmissionPair()
        for round in 0..<3 {
            let now = AdmissionPair.now + UInt32(round) * RoomLimits.codeLife
            #expect(!doorway.host.isAdmissionClosed && doorway.host.exhaustedCodes == round)
            _ = try doorway.guess(at: now)
            var guest = try NewMember(.code(try #require(doorway.host.code)))
            #expect(try doorway.join(&guest.joiner, at: now) != nil)
            _ = doorway.host.expire(at: now + RoomLimits.codeLife)
        }
        #expect(doorway.host.isAdmissionClosed)
        doorway.host.openAdmission(at: AdmissionPair.now)
        #expect(!doorway.host.isAdmissionClosed && doorway.host.exhaustedCodes == 0 && doorway.host.failures == 0)
    }

    @Test("A restart burns the code, and what was counted stays counted")
    func restart() throws {
        var doorway = try AdmissionPair(.approval)
        let first = try #require(doorway.host.code).text
        let invite = try #require(doorway.host.invite).text
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        _ = try doorway.join(&guest.joiner)
        func restart() throws {
            let record = try #require(doorway.host.saved().saved.first)
            doorway.host = try RoomHost(restoring: record, as: doorway.identity, at: AdmissionPair.now)
        }
        try restart()
        #expect(doorway.host.code?.text != first && doorway.host.invite?.text == invite)
        #expect(doorway.host.exhaustedCodes == 0 && doorway.host.pending.count == 1)
        for count in 1...3 {
            _ = try doorway.guess()
            try restart()
            #expect(doorway.host.exhaustedCodes == count)
        }
        #expect(doorway.host.isAdmissionClosed && doorway.host.admission == .approval)
        try restart()
        #expect(doorway.host.isAdmissionClosed)
    }

    @Test("A damaged record of a host is refused", arguments: [1, 2] as [UInt64])
    func damagedRecord(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        let doorway = try AdmissionPair()
        let record = try #require(doorway.host.saved().saved.first)
        for _ in 0..<200 {
            let value = SecretBytes(copying: seeded.damaged(record.value.exposed))
            let damaged = StoredRecord(id: record.id, value: value)
            guard let host = try? RoomHost(restoring: damaged, as: doorway.identity, at: AdmissionPair.now) else {
                continue
            }
            #expect(host.pending.count <= RoomLimits.maximumPending)
        }
        let other = StoredRecord(id: StoredRecord.ID(kind: .group, bytes: record.id.bytes), value: record.value)
        #expect(throws: CryptoError(.malformed, "")) {
            try RoomHost(restoring: other, as: doorway.identity, at: AdmissionPair.now)
        }
    }

    @Test("A typed code is good for three runs, whichever hosts they are with")
    func threeRuns() throws {
        var doorway = try AdmissionPair()
        var joiner = try NewMember(wrongFor: doorway.host).joiner
        for run in 1...3 {
            let answer = try doorway.receive(try joiner.joinRequest(at: try doorway.beacon())).reply
            guard case .wrongCode(let isLast) = joiner.receive(try packet(answer))
            else {
                Issue.record("the code is wrong")
                return
            }
            #expect(isLast == (run == 3))
        }
        let beacon = try doorway.beacon()
        #expect(throws: CryptoError(.codeUsedUp, "")) { try joiner.joinRequest(at: beacon) }
    }

    @Test("An impostor without the code learns nothing, and has one try a run")
    func impostor() throws {
        let genuine = try AdmissionPair()
        let code = try #require(genuine.host.code)
        var guest = try NewMember(.code(code))
        // The same room under other keys. The joiner detects the impostor because it does not have the code.
        let identity = Identity()
        var impostor = RoomHost(room: genuine.host.room, as: identity, admission: .code, at: AdmissionPair.now)
        let beacon = impostor.beacon(remainingSeconds: 0, at: AdmissionPair.now)
        guard case .hello(let hello) = RoomPacket(decoding: try guest.joiner.joinRequest(at: beacon)) else { return }
        let answer = impostor.receive(hello, at: AdmissionPair.now).reply
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
        var doorway = try AdmissionPair()
        let code = try #require(doorway.host.code)
        let beacon = try doorway.beacon()
        var own = RoomJoiner(with: .code(code), bundle: doorway.bundle)
        #expect(throws: CryptoError(.wrongRoom, "")) { try own.joinRequest(at: beacon) }
        let other = (code.door + 1) % 100
        var guest = try NewMember(.code(try #require(RoomCode((other < 10 ? "0" : "") + "\(other)000000"))))
        #expect(throws: CryptoError(.wrongRoom, "")) { try guest.joiner.joinRequest(at: beacon) }
        #expect(guest.joiner.runCount == 0)
        // The host's own card in the join message of another joiner.
        let card = JoinIdentity(of: doorway.identity.publicIdentity, kemPart: KEM768.makeKey().publicKey)
        let point = CPace(password: code.secret, channel: [], session: []).point
        let reflected = JoinHello(lobby: beacon.lobby, point: point, card: card.bytes)
        #expect(doorway.host.receive(reflected, at: AdmissionPair.now).reply == nil)
    }

    @Test("What is no element, or the neutral one, is not answered and not counted")
    func badPoints() throws {
        var doorway = try AdmissionPair()
        let lobby = try #require(doorway.host.lobby)
        let card = JoinIdentity(of: Identity().publicIdentity, kemPart: KEM768.makeKey().publicKey)
        for point in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32)] {
            let hello = JoinHello(lobby: lobby, point: point, card: card.bytes)
            #expect(doorway.host.receive(hello, at: AdmissionPair.now).reply == nil)
        }
        #expect(doorway.host.failures == 0)
    }

    @Test("32 joins are under way at once, and each for a minute")
    func runLimit() throws {
        var doorway = try AdmissionPair(.open)
        func joinRequest(at now: UInt32 = AdmissionPair.now) throws -> Bool {
            var guest = try NewMember(.nothing)
            return try doorway.receive(try guest.joiner.joinRequest(at: try doorway.beacon()), at: now).reply != nil
        }
        for _ in 0..<RoomLimits.maximumRuns { #expect(try joinRequest()) }
        #expect(try !joinRequest(at: AdmissionPair.now + RoomLimits.runLife - 1))
        #expect(doorway.host.runs.count == RoomLimits.maximumRuns)
        #expect(try joinRequest(at: AdmissionPair.now + RoomLimits.runLife))
        #expect(doorway.host.runs.count == 1)
    }
}
