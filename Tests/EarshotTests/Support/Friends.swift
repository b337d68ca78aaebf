import Earshot
import EarshotTesting
import Testing

extension VirtualMesh {
    /// Waits until two people have seen each other, and has each accept the other.
    func befriend(_ alice: ChatNode, _ bob: ChatNode) async throws {
        let know = try await run {
            guard try await alice.contacts[bob.identity.id] != nil else { return false }
            return try await bob.contacts[alice.identity.id] != nil
        }
        #expect(know)
        try await alice.contacts.decide(.accept, about: bob.identity.id)
        try await bob.contacts.decide(.accept, about: alice.identity.id)
    }
}
