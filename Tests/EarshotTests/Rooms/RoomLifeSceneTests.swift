import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("What goes on in rooms")
struct RoomLifeSceneTests {
    @Test("A host's beacon that was recorded earlier and comes again takes nothing back")
    func replayedBeacon() throws {
        let scene = try RoomScene()
        try scene.create(RoomPlan(title: "Trees", admission: .code))
        try scene.enter(1, with: scene.code())
        let old = try #require(scene.world.submitted.last { $0.kind == .room && $0.body.first == 0 })
        let before = try scene.room(of: 1).admission
        // The same host sends a beacon with a higher sequence later.
        scene.world.run(for: 3_600_000)
        let newest = scene.beacons.map(\.sequence).max() ?? 0
        #expect(scene.world[1].engine.room?.beaconSequence == newest)
        try scene.world.receive(old, at: 1)
        #expect(scene.world[1].engine.room?.beaconSequence == newest)
        #expect(try scene.room(of: 1).admission == before)
    }

    /// Makes a room with all engines of the scene in it.
    private static func gathering(
        _ names: [String] = ["Hanna", "Ben", "Cleo"],
        _ plan: RoomPlan = RoomPlan(title: "Trees"),
        errors: [Int64] = []
    ) throws -> RoomScene {
        let scene = try RoomScene(names, errors: errors)
        try scene.create(plan)
        for index in names.indices.dropFirst() { try scene.enter(index, with: try scene.code()) }
        return scene
    }

    @Test("The announcement of a gateway leaves a room as it is, with nothing to do")
    func gateway() throws {
        let scene = try Self.gathering()
        let announcement = Envelope(kind: .gateway, life: 60, body: EngineWorld.announcement)
        for index in 0...2 {
            try scene.world.step(index) { try $0.handle(.deliver(announcement)) }
            try scene.world.step(index) { try $0.tick() }
            #expect(scene.world[index].engine.nextDeadline > scene.world.now.monotonic)
            #expect(scene.world[index].engine.gatewayHeardAt == nil)
        }
    }

    @Test("The title changes for all, who is put out is out, who leaves is gone")
    func changes() throws {
        let scene = try Self.gathering(["Hanna", "Ben", "Cleo", "Dora"])
        let id = try scene.room(of: 0).id
        try scene.world.step(0) { try $0.rename(id, to: "Forest") }
        scene.world.run(for: 5_000)
        for index in 0...3 { #expect(try scene.room(of: index).title == "Forest") }
        #expect(refusal { try scene.world.step(1) { try $0.rename(id, to: "Mine") } } == .notOwner)

        let ben = scene.world[1].id
        try scene.world.step(0) { try $0.remove(ben, from: id) }
        scene.world.run(for: 5_000)
        #expect(scene.end(of: 1) == .closed)
        try scene.world.step(2) { try $0.leaveRoom() }
        scene.world.run(for: 5_000)
        for index in [0, 3] { #expect(try scene.names(of: index) == ["Hanna", "Dora"]) }
        try scene.say("only us", by: 3)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(of: 0) == ["only us"])
        #expect(try scene.texts(of: 1) == [] && scene.texts(of: 2) == [])
    }

    @Test("The host who leaves closes the room for everybody, also for who was off")
    func closing() throws {
        let scene = try Self.gathering()
        scene.world.deaf = [2]
        try scene.world.step(0) { try $0.leaveRoom() }
        scene.world.run(for: 5_000)
        #expect(scene.end(of: 1) == .closed)
        #expect(scene.view(of: 1) == nil)
        #expect(scene.view(of: 2) != nil)
        scene.world.deaf = []
        try scene.world.restart(2)
        scene.world.run(for: 5_000)
        #expect(scene.end(of: 2) == .closed)
    }

    @Test("A room ends for all at one moment, though two clocks are a day off", arguments: [false, true])
    func end(areWrong: Bool) throws {
        let day: Int64 = 86_400_000
        let plan = RoomPlan(title: "Hour", expiresAfter: .seconds(3_600))
        let scene = try Self.gathering(["Hanna", "Ben", "Cleo"], plan, errors: areWrong ? [0, day, -day] : [])
        try scene.say("soon over", by: 1)
        scene.world.run(for: 5_000)
        for index in 0...2 { #expect(try scene.texts(of: index) == ["soon over"]) }
        let passed = scene.world.now.monotonic.duration(to: try #require(scene.world[0].engine.room?.end))
        let left = UInt64(passed.components.seconds) * 1_000
        scene.world.run(for: left - 5_000)
        for index in 0...2 { #expect(scene.end(of: index) == nil) }
        scene.world.run(for: 10_000)
        for index in 0...2 {
            #expect(scene.end(of: index) == .expired)
            #expect(scene.view(of: index) == nil)
        }
    }

    @Test("What a room spreads lives in the mesh no longer than the room")
    func packetLife() throws {
        let part = RoomState(end: MeshInstant(nanoseconds: 95_000_000_000))
        #expect(part.clamped(25_920, at: .zero) == 10)
        #expect(part.clamped(6, at: .zero) == 6)
        #expect(part.clamped(6, at: MeshInstant(nanoseconds: 94_500_000_000)) == 1)
        #expect(RoomState().clamped(25_920, at: .zero) == 25_920)
    }

    @Test("A policy with an end that follows one without brings the end forward, whatever end beacons told")
    func lateEnd() throws {
        func policy(life: UInt32) throws -> GroupPolicy {
            try #require(GroupPolicy(history: .none, memberLimit: 8, life: life, isEphemeral: false))
        }
        var room = RoomState(end: MeshInstant(nanoseconds: 90_000_000_000))
        room.take(try policy(life: 5), after: try policy(life: 0), at: .zero)
        #expect(room.end == MeshInstant(nanoseconds: 5_000_000_000))
        var long = RoomState()
        long.take(try policy(life: .max), after: try policy(life: 0), at: MeshInstant(nanoseconds: 1 << 62))
        #expect(long.end > MeshInstant(nanoseconds: 1 << 62))
        room.take(try policy(life: 60), after: try policy(life: 0), at: .zero)
        #expect(room.end == MeshInstant(nanoseconds: 5_000_000_000))
    }

    @Test("A node that is off when the room ends knows it before it does anything else")
    func offAtTheEnd() throws {
        let scene = try Self.gathering(["Hanna", "Ben"], RoomPlan(title: "Hour", expiresAfter: .seconds(3_600)))
        scene.world.passUnseen(3_600_000)
        #expect(scene.view(of: 1) == nil)
        try scene.world.step(1) { try $0.tick() }
        #expect(scene.end(of: 1) == .expired)
    }

    @Test("Host and members go on after a restart, and newcomers too talk to all")
    func restart() throws {
        let scene = try Self.gathering(["Hanna", "Ben", "Cleo", "Dora"].dropLast())
        try scene.say("before", by: 1)
        scene.world.run(for: 5_000)
        for index in 0...2 { try scene.world.restart(index) }
        scene.world.run(for: 5_000)
        for index in 0...2 { try scene.say("after \(index)", by: index) }
        scene.world.run(for: 10_000)
        for index in 0...2 {
            #expect(try Set(scene.texts(of: index)) == ["before", "after 0", "after 1", "after 2"])
        }
    }

    @Test("Who is handed the room hosts it: the door is shut until its user opens it, and then works")
    func handover() throws {
        let scene = try RoomScene(["Hanna", "Ben", "Cleo"])
        let id = try scene.create()
        try scene.enter(1, with: try scene.code())
        let ben = scene.world[1].id
        try scene.world.step(0) { try $0.transferOwnership(id, to: ben) }
        scene.world.run(for: 10_000)
        #expect(try scene.room(of: 0).role == .member)
        #expect(try scene.room(of: 1).role == .host)
        #expect(try scene.room(of: 1).admissionState?.isAdmissionClosed == true)
        #expect(refusal { try scene.world.step(0) { try $0.openAdmission() } } == .notOwner)
        try scene.world.step(1) { try $0.openAdmission() }
        scene.world.run(for: 2_000)
        try scene.enter(2, with: try scene.code(of: 1))
        #expect(try scene.names(of: 2) == ["Hanna", "Ben", "Cleo"])
        try scene.world.step(0) { try $0.leaveRoom() }
        scene.world.run(for: 5_000)
        #expect(try scene.names(of: 2) == ["Ben", "Cleo"])
    }

    @Test("Nothing of who is in a room is for everybody: no bundle, no name, no title")
    func silence() throws {
        let scene = try Self.gathering()
        #expect(!scene.world.submitted.contains { $0.kind == .bundle })
        for submission in scene.world.submitted {
            for word in ["Hanna", "Ben", "Cleo", "Trees"] {
                #expect(!submission.body.contains(Array(word.utf8)))
            }
        }
    }

    @Test("In a room's engine nobody is written to but the room")
    func noDirectMessages() throws {
        let scene = try Self.gathering(["Hanna", "Ben"])
        let ben = scene.world[1].id
        try scene.world.step(0) { engine in
            _ = try engine.send("psst", to: .direct(ben))
        }
        scene.world.run(for: 5_000)
        #expect(try scene.world[1].history(with: scene.world[0].id, at: scene.world.now) == [])
    }

    @Test("What a room cannot be is refused before anything is made")
    func plans() throws {
        let scene = try RoomScene(["Hanna"])
        func code(_ plan: RoomPlan) -> ChatError.Code? {
            refusal { try scene.world.step(0) { try $0.foundRoom(plan) } }
        }
        #expect(code(RoomPlan(title: "")) == .badName)
        #expect(code(RoomPlan(title: "x", expiresAfter: .milliseconds(999))) == .badDuration)
        #expect(code(RoomPlan(title: "x", expiresAfter: .seconds(366 * 86_400))) == .badDuration)
        #expect(code(RoomPlan(title: "x", maximumMembers: 1)) == .badCount)
        #expect(code(RoomPlan(title: "x", maximumMembers: GroupLimits.maximumMembers + 1)) == .badCount)
        #expect(scene.view(of: 0) == nil)
        #expect(refusal { try scene.world.step(0) { try $0.openAdmission() } } == .notOwner)
    }

    @Test("A ticket is a code, an invite or an id, and nothing else")
    func tickets() {
        let id = String(repeating: "ab", count: 16)
        func kind(_ text: String) -> String? {
            switch JoinCredential(text) {
            case .code: "code"
            case .invite: "invite"
            case .open: "open"
            case nil: nil
            }
        }
        #expect(kind("47-482913") == "code" && kind(" 47 482 913") == "code" && kind(id) == "open")
        #expect(kind("earshot:room?id=\(id)&key=\(id)") == "invite")
        for text in [
            "", "47-48291", "47-4829133", "xy-482913", String(id.dropLast()), id + "0", "earshot:room?id=\(id)",
        ] {
            #expect(kind(text) == nil)
        }
    }
}
