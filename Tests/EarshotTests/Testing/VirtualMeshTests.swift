import Earshot
import EarshotTesting
import Foundation
import MeshSimulation
import Testing

@Suite("Nodes on a virtual mesh")
struct VirtualMeshTests {
    /// Two people in reach of each other through a relay, and known to each other.
    private struct Pair {
        let mesh: VirtualMesh
        let alice: ChatNode
        let bob: ChatNode
        let relay: ChatNode

        var toBob: ConversationHandle { alice.conversation(.direct(bob.identity.id)) }
        var toAlice: ConversationHandle { bob.conversation(.direct(alice.identity.id)) }

        init(_ configuration: ChatConfiguration = ChatConfiguration(), loss: Double = 0) async throws {
            mesh = VirtualMesh(.line(3), seed: 5, quality: SegmentQuality(loss: loss))
            alice = try await mesh.node("Alice", at: 0, configuration)
            var relaying = ChatConfiguration()
            relaying.mesh.isRelayOnly = true
            relay = try await mesh.node("Relay", at: 1, relaying)
            bob = try await mesh.node("Bob", at: 2, configuration)
            try await mesh.befriend(alice, bob)
        }

        func stop() async {
            for node in [alice, bob, relay] { await node.stop() }
        }
    }

    @Test("A message crosses a relay and losses, and is confirmed; time passes only while the mesh runs")
    func delivery() async throws {
        let pair = try await Pair(loss: 0.2)
        let before = pair.mesh.now
        let message = try await pair.toBob.send("Hello")
        #expect(try await pair.toAlice.history().isEmpty)
        #expect(pair.mesh.now == before)
        let toBob = pair.toBob
        #expect(try await pair.mesh.run { try await toBob.message(message.id)?.status == .delivered })
        #expect(try await pair.toAlice.history().map(\.text) == ["Hello"])
        #expect(pair.mesh.now > before)
        await pair.stop()
    }

    @Test("A message waits for a host that is away, and arrives after it is back")
    func away() async throws {
        let pair = try await Pair()
        pair.mesh.connect(2, to: 1, false)
        let message = try await pair.toBob.send("Are you there?")
        await pair.mesh.run(for: .seconds(600))
        #expect(try await pair.toAlice.history().isEmpty)
        pair.mesh.connect(2, to: 1)
        let toBob = pair.toBob
        #expect(try await pair.mesh.run { try await toBob.message(message.id)?.status == .delivered })
        await pair.stop()
    }

    @Test("With the setting fast messages and receipts go through a relay, which stores nothing")
    func carried() async throws {
        let pair = try await Pair(ChatConfiguration(delivery: .fast))
        let (toAlice, toBob) = (pair.toAlice, pair.toBob)
        for (from, to) in [(toBob, toAlice), (toAlice, toBob)] {
            let message = try await from.send("Hello")
            #expect(try await pair.mesh.run { try await from.message(message.id)?.status == .delivered })
            #expect(try await to.history().last?.text == "Hello")
        }
        await pair.mesh.run(for: .seconds(5))
        let stored = await pair.bob.status.carriedCount
        for number in 0..<20 {
            let from = number.isMultiple(of: 2) ? toBob : toAlice
            let message = try await from.send("\(number)")
            #expect(try await pair.mesh.run { try await from.message(message.id)?.status == .delivered })
        }
        #expect(await pair.bob.status.isCarrying)
        #expect(await pair.bob.status.carriedCount == stored)
        #expect(try await toAlice.history().suffix(20).map(\.text) == (0..<20).map { "\($0)" })
        await pair.stop()
    }

    @Test("Typing ends by the virtual clock, and a message disappears by it")
    func clocks() async throws {
        let pair = try await Pair(ChatConfiguration(sendsTyping: true))
        let (bob, toAlice, toBob) = (pair.bob, pair.toAlice, pair.toBob)
        let first = try await toBob.send("One moment")
        #expect(try await pair.mesh.run { try await toBob.message(first.id)?.status == .delivered })
        try await toBob.setTyping()
        #expect(try await pair.mesh.run { try await bob.conversations[toAlice.id]?.typing.isEmpty == false })
        await pair.mesh.run(for: .seconds(30))
        #expect(try await bob.conversations[toAlice.id]?.typing.isEmpty == true)

        try await toBob.setTimer(.seconds(3_600))
        try await toBob.send("Soon gone")
        #expect(try await pair.mesh.run { try await toAlice.history().contains { $0.text == "Soon gone" } })
        try await toAlice.markRead()
        await pair.mesh.run(for: .seconds(3_000))
        #expect(try await toAlice.history().contains { $0.text == "Soon gone" })
        await pair.mesh.run(for: .seconds(700))
        #expect(try await !toAlice.history().contains { $0.text == "Soon gone" })
        await pair.stop()
    }

    @Test("A file arrives whole; the work on it takes no virtual time away")
    func file() async throws {
        let pair = try await Pair()
        let folder = FileManager.default.temporaryDirectory.appending(path: "earshot-virtual-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let file = folder.appending(path: "plan.bin")
        try Data(bytes).write(to: file)
        let message = try await pair.toBob.send("The plan", files: [FileDraft(file)])
        let toAlice = pair.toAlice
        #expect(
            try await pair.mesh.run { try await toAlice.message(message.id)?.files.first?.isComplete == true }
        )
        #expect(try await toAlice.fileBytes(message.id, in: 0..<UInt64(bytes.count)) == bytes)
        await pair.stop()
    }

    @Test("A host has one node at a time; a node that was suspended comes back")
    func hosts() async throws {
        let pair = try await Pair()
        await #expect { try await pair.mesh.node("Second", at: 0) } throws: { error in
            (error as? ChatError)?.code == .meshUnavailable
        }
        try await pair.bob.suspend()
        let message = try await pair.toBob.send("Sleep well")
        await pair.mesh.run(for: .seconds(120))
        try await pair.bob.start()
        let toBob = pair.toBob
        #expect(try await pair.mesh.run { try await toBob.message(message.id)?.status == .delivered })
        await pair.stop()
    }

    @Test("A node locks itself after the virtual time without activity")
    func autoLock() async throws {
        let home = try TestHome()
        let mesh = VirtualMesh(.clique(1))
        let node = try await ChatNode.create(
            name: "Alice",
            in: .directory(home.directory, key: .passphrase("a long passphrase")),
            mesh.configuration(ChatConfiguration(autoLock: .seconds(300)), at: 0)
        )
        try await node.start()
        await mesh.run(for: .seconds(200))
        await node.noteActivity()
        await mesh.run(for: .seconds(200))
        #expect(await !node.isLocked)
        await mesh.run(for: .seconds(101))
        #expect(await node.isLocked)
        await node.stop()
    }
}
