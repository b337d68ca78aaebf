import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Rooms of nodes on this machine")
struct NodeRoomTests {
    @Test(
        "A room made through the library is joined by its code, talks, outlives restarts, and is gone when it is left"
    )
    func library() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let hanna = try await LiveNode("Hanna", mesh)
        let ben = try await LiveNode("Ben", mesh, home: .directory(home.directory))
        try await withRunning(hanna, ben) {
            let made = try await hanna.node.rooms.create(RoomPlan(title: "Trees", nickname: "Owl"))
            let credential = try #require(JoinCredential(made.admissionState?.code ?? ""))
            let joined = try await ben.node.rooms.join(credential, as: "Fox")
            #expect(joined.id == made.id && joined.title == "Trees" && joined.role == .member)
            #expect(made.admission == .code && joined.admission == .code)
            #expect(joined.members.map(\.name) == ["Owl", "Fox"])
            #expect(home.roomFolders.count == 1)
            #expect(try await ben.node.contacts.all().allSatisfy { $0.name == "Hanna" })
            let message = try await ben.node.conversation(.room(made.id)).send("hoo?")
            #expect(try await ben.statuses(of: message).last == .delivered)
            #expect(try await hanna.receives().text == "hoo?")
            try await hanna.node.conversations.holding(message.id).react("🦉", to: message.id)
            let changed = try await ben.first { if case .changed(let message) = $0 { message } else { nil } }
            #expect(changed.reactions.map(\.emoji) == ["🦉"] && changed.reactions.map(\.isMine) == [false])
            let own = try await hanna.node.conversation(.room(made.id)).history().filter { $0.id == message.id }
            #expect(own.flatMap(\.reactions).map(\.isMine) == [true])
            let lines = try await hanna.node.conversation(.room(made.id)).history().filter { $0.kind == .system }
            #expect(!lines.isEmpty && lines.allSatisfy(\.isOutgoing))
            await ben.node.stop()
            try await hanna.node.group(made.id).rename(to: "Forest")
            try await hanna.node.conversation(.room(made.id)).send("while you slept")

            let again = try await LiveNode("another", mesh, home: .directory(home.directory))
            #expect(try await again.node.rooms.all().first?.admission == .code)
            let kept = try await again.node.conversation(.room(made.id)).history().filter { !$0.isGroupLine }
            #expect(kept.map(\.text) == ["hoo?"])
            try await withRunning(again) {
                #expect(try await again.receives().text == "while you slept")
                #expect(try await again.node.rooms.named("Forest").nickname == "Fox")
                let listed = try await again.node.conversations.all().first { $0.id == .room(made.id) }
                #expect(listed?.title == "Forest" && listed?.unreadCount == 1)
                try await again.node.rooms.leave(made.id)
                #expect(try await again.node.rooms.all() == [])
                #expect(home.roomFolders == [])
                await #expect(throws: ChatError.self) { try await again.node.conversation(.room(made.id)).history() }
                try await hanna.happens(.changed(.left(joined.ownID)), in: made.id)
            }
        }
    }

    @Test("When a room's time is over its folder, key and texts are gone from both, and it is told")
    func expiry() async throws {
        // A machine that is too busy to join in time repeats the test with a longer life of the room.
        do {
            try await expire(after: .seconds(30))
        } catch is ChatError {
            try await expire(after: .seconds(200))
        }
    }

    private func expire(after life: Duration) async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let homes = [try TestHome(), try TestHome()]
        let hanna = try await LiveNode("Hanna", mesh, home: .directory(homes[0].directory))
        let ben = try await LiveNode("Ben", mesh, home: .directory(homes[1].directory))
        try await withRunning(hanna, ben) {
            let made = try await hanna.node.rooms.create(RoomPlan(title: "Short", expiresAfter: life))
            let credential = try #require(JoinCredential(made.admissionState?.invite ?? ""))
            try await ben.node.rooms.join(credential)
            try await ben.node.conversation(.room(made.id)).send("gone in a moment")
            for home in homes { #expect(home.roomFolders.count == 1) }
            try await hanna.happens(.expired, in: made.id)
            try await ben.happens(.expired, in: made.id)
            for node in [hanna, ben] { #expect(try await node.node.rooms.all() == []) }
        }
        for home in homes {
            #expect(home.roomFolders == [])
            #expect(try home.files(containing: Array("gone in a moment".utf8)) == [])
        }
    }

    @Test("A node that was off when its room ended has destroyed it before anything is shown")
    func offAtTheEnd() async throws {
        let home = try TestHome()
        let id = try await home.open(name: "Hanna") { node in
            try await node.rooms.create(RoomPlan(title: "Hour", expiresAfter: .seconds(3_600))).id
        }
        #expect(home.roomFolders.count == 1)
        // A clock that was set back does not extend the life of the room.
        try await home.open(clockError: .seconds(-90_000)) { node in
            let end = try #require(try await node.rooms.all().first?.endsAt)
            #expect(end.timeIntervalSinceNow + 90_000 <= 3_601)
        }
        #expect(try await home.open { try await $0.rooms.all().map(\.id) } == [id])
        try await home.open(clockError: .seconds(3_601)) { node in
            let rooms = try await node.rooms.all()
            #expect(rooms == [] && home.roomFolders == [])
        }
        #expect(try await home.open { try await $0.rooms.all() } == [])
    }

    @Test("What a crash left of a room whose key is gone is swept away at the next start")
    func crash() async throws {
        let home = try TestHome()
        _ = try await home.open(name: "Hanna") { node in try await node.rooms.create(RoomPlan(title: "Kept")) }
        let orphan = home.file("rooms").appending(path: String(repeating: "ab", count: 16))
        try FileManager.default.createDirectory(at: orphan, withIntermediateDirectories: true)
        try Data("rest".utf8).write(to: orphan.appending(path: "history.sqlite"))
        try await home.open { node in
            let rooms = try await node.rooms.all()
            #expect(rooms.map(\.title) == ["Kept"] && home.roomFolders.count == 1)
        }
    }

    @Test("An ephemeral room leaves nothing on the disk, and is gone with the process")
    func ephemeral() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let hanna = try await LiveNode("Hanna", mesh)
        let ben = try await LiveNode("Ben", mesh, home: .directory(home.directory))
        try await withRunning(hanna, ben) {
            let made = try await hanna.node.rooms.create(RoomPlan(title: "Breath", isEphemeral: true))
            let credential = try #require(JoinCredential(made.admissionState?.code ?? ""))
            #expect(try await ben.node.rooms.join(credential).isEphemeral)
            try await hanna.node.conversation(.room(made.id)).send("nobody keeps this")
            #expect(try await ben.receives().text == "nobody keeps this")
            #expect(try await ben.node.conversation(.room(made.id)).history().count { !$0.isGroupLine } == 1)
            #expect(home.roomFolders == [])
        }
        #expect(try await home.open { try await $0.rooms.all() } == [])
        #expect(try home.files(containing: Array("Breath".utf8)) == [])
    }

    @Test("What rooms refuse through the library has its code, and leaves nothing behind")
    func refusals() async throws {
        let home = try TestHome()
        try await home.open(name: "Hanna") { node in
            func expect(_ code: ChatError.Code, _ body: () async throws -> Void) async {
                do {
                    try await body()
                    Issue.record("\(code.name) was expected")
                } catch {
                    #expect((error as? ChatError)?.code == code)
                }
            }
            let credential = try #require(JoinCredential("47-482913"))
            await expect(.meshUnavailable) { try await node.rooms.join(credential) }
            await expect(.badName) { try await node.rooms.create(RoomPlan(title: "")) }
            await expect(.badName) { try await node.rooms.create(RoomPlan(title: "x", nickname: "")) }
            await expect(.notFound) { _ = try await node.rooms.named("x") }
            let none = try #require(GroupID(bytes: [UInt8](repeating: 1, count: 16)))
            await expect(.notFound) { try await node.rooms.leave(none) }
            await expect(.notFound) { try await node.rooms.setAdmission(isOpen: true, of: none) }
            for number in 0..<16 { try await node.rooms.create(RoomPlan(title: "\(number)")) }
            await expect(.limited) { try await node.rooms.create(RoomPlan(title: "one more")) }
            #expect(home.roomFolders.count == 16)
            let first = try await node.rooms.named("0")
            await expect(.notFound) { try await node.group(first.id).leave() }
            let shut = try await node.rooms.setAdmission(isOpen: false, of: first.id)
            #expect(
                shut.admissionState?.isAdmissionClosed == true && shut.admissionState?.code == nil
                    && shut.admissionState?.invite == nil
            )
            let open = try await node.rooms.setAdmission(isOpen: true, of: first.id)
            #expect(open.admissionState?.code != nil && open.admissionState?.invite != nil)
            try await node.rooms.leave(first.id)
            #expect(home.roomFolders.count == 15)
        }
    }
}

extension TestHome {
    /// The names of the folders of the rooms.
    fileprivate var roomFolders: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: file("rooms").path)) ?? []).sorted()
    }
}

extension LiveNode {
    /// Waits until something happens in a room.
    fileprivate func happens(_ wanted: RoomEvent, in room: GroupID) async throws {
        _ = try await first { event in event == .room(room, wanted) ? true : nil }
    }
}
