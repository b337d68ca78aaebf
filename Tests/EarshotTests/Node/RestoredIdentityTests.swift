import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Identities restored", .timeLimit(.minutes(30)))
struct RestoredIdentityTests {
    private static func backup(_ home: TestHome) async throws -> (id: PeerID, bytes: [UInt8]) {
        try await home.open(name: "Alice") { node in
            (await node.status.id, try await node.identity.backUp(passphrase: "horse"))
        }
    }

    @Test(
        "Only an empty home takes it, and only with the backup's passphrase; what is refused changes nothing"
    )
    func refusals() async throws {
        let (old, new) = (try TestHome(), try TestHome())
        let (id, bytes) = try await Self.backup(old)
        func code(_ bytes: [UInt8], _ passphrase: String, _ home: TestHome) async -> ChatError.Code? {
            let error = await #expect(throws: ChatError.self) {
                try await ChatNode.restore(bytes, passphrase: passphrase, in: .directory(home.directory))
            }
            return error?.code
        }
        let before = try old.files()
        #expect(await code(bytes, "horse", old) == .alreadyInitialised)
        #expect(try old.files() == before)
        #expect(await code(bytes, "cow", new) == .locked)
        #expect(await code(Array(bytes.dropLast()), "horse", new) == .fileUnusable)
        #expect(await code([], "horse", new) == .fileUnusable)
        #expect(!FileManager.default.fileExists(atPath: new.directory.path))
        let node = try await ChatNode.restore(bytes, passphrase: "horse", in: .directory(new.directory))
        #expect(await node.status.id == id)
        #expect(await node.status.name == "Alice")
        // The sequence is the number of hours since 1970. It is above the sequence of every earlier prekey bundle, so
        // the new prekey bundle replaces them.
        let sequence = try await node.account.read { $0.sessions.bundle.sequence }
        #expect(sequence > 400_000)
        await node.stop()
        #expect(try await new.open { await $0.status.id } == id)
    }

    @Test("Friends know it again and talk goes on both ways, though its first home is gone")
    func friends() async throws {
        let (old, new) = (try TestHome(), try TestHome())
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let bob = try await LiveNode("Bob", mesh)
        let alice = try await LiveNode("Alice", mesh, home: .directory(old.directory))
        try await withRunning(bob, alice) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            try await alice.node.conversation(.direct(bobID)).send("before")
            #expect(try await bob.receives().text == "before")
            try await bob.node.contacts.decide(.accept, about: aliceID)
            let backup = try await alice.node.identity.backUp(passphrase: "horse")
            await alice.node.stop()

            let settings = ChatConfiguration(mesh: mesh)
            let place = Home.directory(new.directory)
            let restored = try LiveNode(await ChatNode.restore(backup, passphrase: "horse", in: place, settings))
            try await withRunning(restored) {
                _ = try await restored.meets("Bob")
                try await restored.node.conversation(.direct(bobID)).send("after")
                let message = try await bob.receives()
                #expect(message.text == "after" && message.sender == aliceID)
                try await bob.node.conversation(.direct(aliceID)).send("welcome back")
                #expect(try await restored.receives().text == "welcome back")
            }
        }
    }
}
