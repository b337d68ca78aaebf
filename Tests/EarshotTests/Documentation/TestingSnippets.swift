import Earshot
import EarshotTesting
import MeshSimulation
import Testing

// The snippet of SimulatingAMesh.md about chat nodes, compiled without changes; the test runs it.

func testingRunsChatNodes() async throws {
    // Alice and Carol hear each other through Bob only; every tenth datagram is lost.
    let mesh = VirtualMesh(.line(3), seed: 7, quality: SegmentQuality(loss: 0.1))
    let alice = try await mesh.node("Alice", at: 0)
    let bob = try await mesh.node("Bob", at: 1)
    let carol = try await mesh.node("Carol", at: 2)
    let id = carol.identity.id
    #expect(try await mesh.run { try await alice.contacts[id] != nil })

    // A message waits while Carol is away.
    mesh.connect(2, to: 1, false)
    let message = try await alice.conversation(.direct(id)).send("Hello")
    await mesh.run(for: .seconds(3_600))
    #expect(try await carol.conversations.all().isEmpty)

    // Carol comes back, and the message arrives.
    mesh.connect(2, to: 1)
    let chat = carol.conversation(.direct(alice.identity.id))
    #expect(try await mesh.run { try await chat.history().map(\.id) == [message.id] })
    await bob.stop()
}

@Suite("Snippets about testing")
struct TestingSnippetTests {
    @Test("The snippet of the article runs")
    func run() async throws { try await testingRunsChatNodes() }
}
