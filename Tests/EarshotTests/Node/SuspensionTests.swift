import ChatCrypto
import ChatHistory
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Suspended homes", .timeLimit(.minutes(30)))
struct SuspensionTests {
    @Test("A node is suspended while its store refuses to write, and gets what it missed afterwards")
    func refusingStore() async throws {
        let (home, mesh) = (try TestHome(), MeshOptions.loopback([MeshOptions.randomGroup()]))
        let store = StubbornStore()
        var settings = ChatConfiguration(mesh: mesh)
        settings.openStore = { _ throws(StoreError) in store }
        let node = try await ChatNode.create(name: "Alice", in: .directory(home.directory), settings)
        let alice = try LiveNode(node)
        let bob = try await LiveNode("Bob", mesh)
        try await withRunning(alice, bob) {
            let aliceID = try await bob.meets("Alice")
            store.isFull = true
            let message = try await bob.node.conversation(.direct(aliceID)).send("while full")
            let isFailing: Bool = try await alice.first { if case .storageFailing = $0 { true } else { nil } }
            #expect(isFailing)
            // The store in memory is closed for good, so its rows go on in another one.
            let rows = try store.copy()
            try await node.suspend()
            store.goBack(to: rows)
            store.isFull = false
            try await node.start()
            #expect(try await alice.receives().id == message.id)
        }
    }

    @Test("A home that was destroyed or replaced while its node was suspended is not opened, and stays as it is")
    func otherHome() async throws {
        let home = try TestHome()
        let node = try await ChatNode.create(name: "Alice", in: .directory(home.directory))
        try await node.suspend()
        try ChatNode.destroy(home.directory)
        let gone = await #expect(throws: ChatError.self) { try await node.start() }
        #expect(gone?.code == .noIdentity)
        #expect(try home.files().keys.sorted() == ["lock"])
        let other = try await home.open(name: "Bob") { $0.identity.id }
        let replaced = await #expect(throws: ChatError.self) { try await node.start() }
        #expect(replaced?.code == .homeCorrupt)
        await node.stop()
        #expect(try await home.open { $0.identity.id } == other)
    }

    @Test("A node that could not join the mesh joins it once the reason is gone")
    func laterStart() async throws {
        let (home, mesh) = (try TestHome(), MeshOptions.loopback([MeshOptions.randomGroup()]))
        let settings = ChatConfiguration(mesh: mesh)
        let node = try await ChatNode.create(name: "Alice", in: .directory(home.directory), settings)
        try FileManager.default.createDirectory(at: home.file("mesh.log"), withIntermediateDirectories: false)
        for _ in 0..<2 {
            let error = await #expect(throws: ChatError.self) { try await node.start() }
            #expect(error?.code == .meshUnavailable)
        }
        try FileManager.default.removeItem(at: home.file("mesh.log"))
        let alice = try LiveNode(node)
        let bob = try await LiveNode("Bob", mesh)
        try await withRunning(alice, bob) {
            let aliceID = try await bob.meets("Alice")
            try await bob.node.conversation(.direct(aliceID)).send("Hello")
            #expect(try await alice.receives().text == "Hello")
        }
    }

    @Test("A message that was deleted here alone can still be taken out of the outbox")
    func cancellingDeleted() async throws {
        let node = try await ChatNode.create(name: "Alice")
        let bob = node.conversation(.direct(try await node.meetOnPaper("Bob")))
        let message = try await bob.send("regretted").id
        try await bob.delete(message, forEveryone: false)
        #expect(try await bob.message(message) == nil)
        #expect(await node.status.outboxCount == 1)
        try await node.conversations.holding(message).cancel(message)
        #expect(await node.status.outboxCount == 0)
        await node.stop()
    }
}
