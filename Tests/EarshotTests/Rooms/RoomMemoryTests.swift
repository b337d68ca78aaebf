import ChatCrypto
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("What nodes keep of rooms", .timeLimit(.minutes(30)))
struct RoomMemoryTests {
    @Test("Once a room is over nobody holds its account, and with it its keys, on either side")
    func released() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let hanna = try await LiveNode("Hanna", mesh)
        let ben = try await LiveNode("Ben", mesh, home: .directory(home.directory))
        try await withRunning(hanna, ben) {
            let made = try await hanna.node.rooms.create(RoomPlan(title: "Trees"))
            try await ben.node.rooms.join(try #require(JoinCredential(made.admissionState?.code ?? "")))
            weak let atHanna = try await hanna.node.account(of: .room(made.id))
            weak let atBen = try await ben.node.account(of: .room(made.id))
            #expect(atHanna != nil && atBen != nil)
            try await hanna.node.conversation(.room(made.id)).send("hoo?")
            #expect(try await ben.receives().text == "hoo?")
            try await hanna.node.rooms.leave(made.id)
            _ = try await ben.first { event in event == .room(made.id, .closed) ? true : nil }
            while atHanna != nil || atBen != nil { await Task.yield() }
        }
    }

    @Test("Who has chosen so tells everybody in a room that it types there, as of that room")
    func typing() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let hanna = try await LiveNode("Hanna", mesh, sendsTyping: true)
        let ben = try await LiveNode("Ben", mesh, sendsTyping: true)
        try await withRunning(hanna, ben) {
            let made = try await hanna.node.rooms.create(RoomPlan(title: "Trees"))
            let joined = try await ben.node.rooms.join(try #require(JoinCredential(made.admissionState?.code ?? "")))
            try await ben.node.conversation(.room(made.id)).send("hoo?")
            #expect(try await hanna.receives().text == "hoo?")
            try await ben.node.conversation(.room(made.id)).setTyping()
            let by = try await hanna.first { event -> PeerID? in
                guard case .typing(.room(made.id), let peer, true) = event else { return nil }
                return peer
            }
            #expect(by == joined.ownID)
        }
    }
}
