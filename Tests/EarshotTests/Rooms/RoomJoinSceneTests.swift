import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("The way into rooms")
struct RoomJoinSceneTests {
    @Test("Who types the code is in, and all can write to all")
    func code() throws {
        let scene = try RoomScene(["Hanna", "Ben", "Cleo", "Dora"])
        let id = try scene.create()
        let code = try scene.code()
        for index in 1...3 { try scene.enter(index, with: code) }
        for index in 0...3 {
            let room = try scene.room(of: index)
            #expect(room.id == id && room.title == "Trees")
            #expect(room.members.map(\.name) == ["Hanna", "Ben", "Cleo", "Dora"])
            #expect(room.role == (index == 0 ? .host : .member))
            try scene.say("\(index)", by: index)
            scene.world.run(for: 5_000)
        }
        for index in 0...3 { #expect(try scene.texts(of: index) == ["0", "1", "2", "3"]) }
    }

    @Test("In any weather everybody gets in and has every text", arguments: 1...12)
    func weather(seed: UInt64) throws {
        let scene = try RoomScene(quality: EngineWorld.Quality(), seed: seed)
        try scene.create()
        for index in 1...2 {
            // The user repeats an attempt whose join messages came late.
            for _ in 0..<3 where scene.view(of: index) == nil { try scene.enter(index, with: try scene.code()) }
        }
        for index in 0...2 { try scene.say("\(index)", by: index) }
        scene.world.run(for: 120_000)
        for index in 0...2 { #expect(try Set(scene.texts(of: index)) == ["0", "1", "2"]) }
    }

    @Test("A wrong code opens nothing, and is told as one")
    func wrongCode() throws {
        let scene = try RoomScene()
        try scene.create()
        try scene.enter(1, with: try scene.wrongCode())
        #expect(scene.failure(of: 1) == .wrongCode)
        #expect(scene.view(of: 1) == nil)
        #expect(try scene.names(of: 0) == ["Hanna"])
    }

    @Test("A code of another door finds no room, and says so after a while")
    func noRoom() throws {
        let scene = try RoomScene()
        try scene.create()
        let code = try #require(try scene.room(of: 0).admissionState?.code)
        let other = (Int(code.prefix(2)) ?? 0) < 50 ? "99" : "01"
        let credential = JoinCredential.code(try #require(RoomCode(other + code.dropFirst(2))))
        try scene.world.step(1) { try $0.enterRoom(credential, beacons: scene.beacons) }
        scene.world.run(for: 19_000)
        #expect(scene.failure(of: 1) == nil)
        scene.world.run(for: 2_000)
        #expect(scene.failure(of: 1) == .notFound)
    }

    @Test("A host who is gone does not answer, and that is told")
    func noAnswer() throws {
        let scene = try RoomScene()
        try scene.create()
        scene.world.deaf = [0]
        try scene.enter(1, with: try scene.code())
        scene.world.run(for: 20_000)
        #expect(scene.failure(of: 1) == .noAnswer)
    }

    @Test("An invite lets in whatever the code is; a room for everybody takes its id")
    func otherTickets() throws {
        let scene = try RoomScene()
        try scene.create()
        let invite = try scene.invite()
        try scene.world.step(0) { try $0.openAdmission() }
        try scene.enter(1, with: invite)
        #expect(try scene.names(of: 1) == ["Hanna", "Ben"])

        let open = try RoomScene()
        let id = try open.create(RoomPlan(title: "Square", admission: .open))
        #expect(try open.room(of: 0).admissionState?.code == nil)
        let other = try #require(GroupID(bytes: [UInt8](repeating: 9, count: 16)))
        try open.enter(2, with: .open(other))
        #expect(open.failure(of: 2) == .notFound)
        try open.enter(1, with: .open(id))
        #expect(try open.names(of: 1) == ["Hanna", "Ben"])
    }

    @Test("Nobody comes into a full room")
    func full() throws {
        let scene = try RoomScene()
        try scene.create(RoomPlan(title: "Bench", maximumMembers: 2))
        try scene.enter(1, with: try scene.code())
        try scene.enter(2, with: try scene.code())
        #expect(scene.failure(of: 2) == .limited)
        #expect(try scene.names(of: 0) == ["Hanna", "Ben"])
    }

    @Test("Where the host's user decides, who knocks waits, also while the host's node is off, and is let in or not")
    func approval() throws {
        let scene = try RoomScene()
        let id = try scene.create(RoomPlan(title: "Study", admission: .approval))
        let code = try scene.code()
        try scene.enter(1, with: code)
        try scene.enter(2, with: code)
        #expect(try scene.room(of: 1).role == .waiting)
        let waiting = try #require(try scene.room(of: 0).admissionState?.waiting)
        #expect(waiting.map(\.name) == ["Ben", "Cleo"])
        #expect(
            scene.events(of: 0).suffix(2) == [
                .waiting(scene.world[1].id, name: "Ben"), .waiting(scene.world[2].id, name: "Cleo"),
            ]
        )
        try scene.world.restart(0)
        #expect(try scene.room(of: 0).admissionState?.waiting == waiting)
        try scene.world.step(0) { try $0.answerApplicant(waiting[0].id, admits: true) }
        try scene.world.step(0) { try $0.answerApplicant(waiting[1].id, admits: false) }
        scene.world.run(for: 10_000)
        #expect(try scene.room(of: 1).role == .member)
        #expect(scene.failure(of: 2) == .rejected)
        #expect(scene.view(of: 2) == nil)
        #expect(try scene.names(of: 1) == ["Hanna", "Ben"])
        #expect(scene.events(of: 0).suffix(2) == [.approved(waiting[0].id), .rejected(waiting[1].id)])
        try scene.say("welcome", by: 0)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(of: 1) == ["welcome"])
        #expect(
            refusal { try scene.world.step(0) { try $0.answerApplicant(waiting[0].id, admits: true) } }
                == .notFound
        )
        #expect(try scene.room(of: 0).id == id)
    }

    @Test("Who gives up waiting is off the host's list")
    func givesUp() throws {
        let scene = try RoomScene()
        try scene.create(RoomPlan(title: "Study", admission: .approval))
        try scene.enter(1, with: try scene.code())
        #expect(try scene.room(of: 0).admissionState?.waiting.count == 1)
        try scene.world.step(1) { try $0.leaveRoom() }
        scene.world.run(for: 5_000)
        #expect(try scene.room(of: 0).admissionState?.waiting == [])
    }

    @Test("A thousand guesses burn each code after twenty, shut the door after sixty, and let nobody in")
    func guesses() throws {
        let scene = try RoomScene(["Hanna"])
        try scene.create()
        var answered = 0
        for _ in 0..<1_000 {
            guard let beacon = scene.beacons.last, !beacon.isAdmissionClosed else { break }
            var guess = try Knocker(with: Self.guess(wrongFor: scene).key, at: scene.world.now)
            let prekeyMessage = try guess.joiner.joinRequest(at: beacon)
            _ = scene.world.takeSubmitted()
            try scene.world.receive(Submission(.room, prekeyMessage, 6))
            for submission in scene.world.takeSubmitted() {
                guard let packet = RoomPacket(decoding: submission.body) else { continue }
                if case .wrongCode = guess.joiner.receive(packet) { answered += 1 }
            }
            scene.world.run(for: 5_000)
        }
        #expect(answered == RoomLimits.maximumFailures * RoomLimits.maximumExhaustedCodes)
        let door = try #require(try scene.room(of: 0).admissionState)
        #expect(door.isAdmissionClosed && door.code == nil)
        #expect(scene.events(of: 0).filter { $0 == .exhausted }.count == RoomLimits.maximumExhaustedCodes)
        #expect(scene.events(of: 0).last == .admissionClosed)
        #expect(try scene.names(of: 0) == ["Hanna"])
        try scene.world.step(0) { try $0.openAdmission() }
        #expect(try scene.room(of: 0).admissionState?.code != nil)
    }

    @Test("A code is worth nothing once another is made, by the user, by time, or by a restart")
    func oldCodes() throws {
        let scene = try RoomScene(["Hanna", "Ben", "Cleo", "Dora"])
        try scene.create()
        var code = try scene.code()
        try scene.world.step(0) { try $0.openAdmission() }
        scene.world.run(for: 1_000)
        try scene.enter(1, with: code)
        #expect(scene.failure(of: 1) == .wrongCode)
        code = try scene.code()
        scene.world.run(for: UInt64(RoomLimits.codeLife) * 1_000 + 40_000)
        try scene.enter(2, with: code)
        #expect(scene.failure(of: 2) == .wrongCode)
        code = try scene.code()
        try scene.world.restart(0)
        scene.world.run(for: 1_000)
        try scene.enter(3, with: code)
        #expect(scene.failure(of: 3) == .wrongCode)
        #expect(try scene.names(of: 0) == ["Hanna"])
    }

    /// Makes a code that is certainly not the host's code.
    private static func guess(wrongFor scene: RoomScene) throws -> JoinCredential { try scene.wrongCode() }
}

extension JoinCredential {
    fileprivate var key: RoomKey {
        switch self {
        case .code(let code): .code(code)
        case .invite(let invite): .invite(invite)
        case .open: .nothing
        }
    }
}
