import Earshot
import EarshotTesting
import Foundation
import MeshSimulation
import Testing

@Suite("Files in a crowd")
struct CrowdFileTests {
    /// Two people who know each other among eighteen relays in one hall.
    private struct Hall {
        let mesh = VirtualMesh(.clique(20), seed: 5)
        let alice: ChatNode
        let bob: ChatNode
        private(set) var relays: [ChatNode] = []

        var toBob: ConversationHandle { alice.conversation(.direct(bob.identity.id)) }
        var toAlice: ConversationHandle { bob.conversation(.direct(alice.identity.id)) }

        init() async throws {
            alice = try await mesh.node("Alice", at: 0)
            bob = try await mesh.node("Bob", at: 1)
            var relaying = ChatConfiguration()
            relaying.mesh.isRelayOnly = true
            for host in 2..<20 { relays.append(try await mesh.node("Relay", at: host, relaying)) }
            try await mesh.befriend(alice, bob)
            await mesh.run(for: .seconds(30))
        }

        /// Sends a file of 100,000 bytes; returns the message and the bytes.
        func sendFile() async throws -> (MessageID, [UInt8]) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "earshot-crowd-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            let file = folder.appending(path: "plan.bin")
            try Data(bytes).write(to: file)
            return (try await toBob.send("The plan", files: [FileDraft(file)]).id, bytes)
        }

        /// Whether Bob has the file of a message after some time.
        func arrives(_ message: MessageID) async throws -> Bool {
            let toAlice = toAlice
            return try await mesh.run { try await toAlice.message(message)?.files.first?.isComplete == true }
        }

        func stop() async {
            for node in [alice, bob] + relays { await node.stop() }
        }
    }

    @Test("A small file is there before it would be pulled")
    func present() async throws {
        let hall = try await Hall()
        let (message, bytes) = try await hall.sendFile()
        let start = hall.mesh.now
        #expect(try await hall.arrives(message))
        #expect(hall.mesh.now.timeIntervalSince(start) < 20)
        #expect(try await hall.toAlice.fileBytes(message, in: 0..<UInt64(bytes.count)) == bytes)
        await hall.stop()
    }

    @Test("A small file for someone who was away comes from those who kept it, also if its author has gone")
    func absent() async throws {
        let hall = try await Hall()
        try await hall.bob.suspend()
        let (message, bytes) = try await hall.sendFile()
        await hall.mesh.run(for: .seconds(60))
        try await hall.alice.suspend()
        try await hall.bob.start()
        #expect(try await hall.arrives(message))
        #expect(try await hall.toAlice.fileBytes(message, in: 0..<UInt64(bytes.count)) == bytes)
        await hall.stop()
    }
}
