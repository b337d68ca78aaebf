import Earshot
import EarshotTesting
import MeshSimulation
import Testing

@testable import ChatWindow

@Suite("The chat window of the examples")
struct ChatWindowTests {
    @Test("It follows the list, the messages, the statuses, the typing and the unread counts, and pages")
    @MainActor
    func window() async throws {
        let mesh = VirtualMesh(.line(3), seed: 3)
        let alice = try await mesh.node("Alice", at: 0)
        var relaying = ChatConfiguration()
        relaying.mesh.isRelayOnly = true
        let relay = try await mesh.node("Relay", at: 1, relaying)
        let bob = try await mesh.node("Bob", at: 2, ChatConfiguration(sendsTyping: true))
        let (aliceID, bobID) = (alice.identity.id, bob.identity.id)
        #expect(try await mesh.run { try await alice.contacts.all().contains { $0.id == bobID } })

        let chat = ChatWindow(alice)
        let list = Task { try await chat.run() }
        chat.open(.direct(bobID))
        try await chat.send("Hello, Bob")
        #expect(try await mesh.run { try await bob.contacts.all().contains { $0.id == aliceID } })
        try await bob.contacts.decide(.accept, about: aliceID)
        let toAlice = bob.conversation(.direct(aliceID))
        #expect(await mesh.run { chat.messages.map(\.text) == ["Hello, Bob"] && chat.messages[0].status == .delivered })

        try await toAlice.setTyping()
        #expect(await mesh.run { chat.conversations.first?.typing == [bobID] })
        for number in 1...60 { try await toAlice.send("Number \(number)") }
        #expect(
            await mesh.run { chat.messages.last?.text == "Number 60" && chat.conversations.first?.unreadCount == 0 }
        )
        #expect(chat.messages.count == 50)
        #expect(chat.hasEarlier)
        chat.scrolledToTop()
        #expect(await mesh.run { chat.messages.first?.text == "Hello, Bob" && !chat.hasEarlier })

        for node in [alice, bob, relay] { await node.stop() }
        try await list.value
    }
}
