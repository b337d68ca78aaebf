import Foundation
import Testing

@testable import ChatCore
@testable import ChatCrypto
@testable import Earshot

/// Running nodes with UDP sockets on the loopback interface.
///
/// One of them has a passphrase.
@Suite("Locking", .timeLimit(.minutes(30)))
struct LockTests {
    private static let passphrase = "right horse"

    @Test("A locked node knows nothing and goes on to carry; what a friend sends meanwhile comes when it is unlocked")
    func mailWhileLocked() async throws {
        let home = try TestHome()
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let alice = try await LiveNode("Alice", mesh, home: .directory(home.directory), passphrase: Self.passphrase)
        let bob = try await LiveNode("Bob", mesh)
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            try await alice.node.conversation(.direct(bobID)).send("Hello, Bob")
            _ = try await bob.receives()
            try await bob.node.conversation(.direct(aliceID)).send("Hello, Alice")
            _ = try await alice.receives()

            try await alice.node.lock()
            try await Self.checkLocked(alice.node, aliceID, bobID)
            for text in ["while", "you", "were", "away"] {
                let message = try await bob.node.conversation(.direct(aliceID)).send(text)
                #expect(try await bob.statuses(of: message, until: .carried).last == .carried)
            }
            let error = await #expect(throws: ChatError.self) {
                try await alice.node.unlock(.passphrase("wrong horse"))
            }
            #expect(error?.code == .locked)
            #expect(await alice.node.isLocked)
            try await alice.node.unlock(.passphrase(Self.passphrase))
            var texts: [String] = []
            while texts.count < 4 { texts.append(try await alice.receives().text) }
            #expect(texts == ["while", "you", "were", "away"])
            #expect(await alice.node.status.isLocked == false)

            let answer = try await alice.node.conversation(.direct(bobID)).send("Here again")
            #expect(try await bob.receives().text == "Here again")
            #expect(try await alice.statuses(of: answer).last == .delivered)
            #expect(try await alice.node.conversation(.direct(bobID)).history().count == 7)
        }
    }

    /// Checks the answers of a locked node.
    private static func checkLocked(_ node: ChatNode, _ id: PeerID, _ peer: PeerID) async throws {
        let status = await node.status
        #expect(status.isLocked && status.id == id && status.contactCount == 0 && status.linkCount > 0)
        for refused: @Sendable () async throws -> Void in [
            { try await node.conversation(.direct(peer)).send("too late") },
            { _ = try await node.conversation(.direct(peer)).history() },
            { _ = try await node.conversations.all() }, { _ = try await node.contacts.all() },
            { _ = try await node.rooms.all() },
            { try await node.changeKey(from: .keyFile, to: .passphrase("x")) },
            { _ = try await node.rooms.create(RoomPlan(title: "x")) },
        ] {
            let error = await #expect(throws: ChatError.self) { try await refused() }
            #expect(error?.code == .locked)
        }
        // The node stays locked. A second lock is no error.
        try await node.lock()
    }

    @Test("A node that nobody uses locks itself, and again after it was unlocked")
    func autoLock() async throws {
        let home = try TestHome()
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let alice = try await LiveNode(
            "Alice",
            mesh,
            home: .directory(home.directory),
            passphrase: Self.passphrase,
            autoLock: .milliseconds(100)
        )
        try await withRunning(alice) {
            for _ in 0..<2 {
                let isLocked: Bool = try await alice.first { $0 == .locked ? true : nil }
                #expect(isLocked)
                try await alice.node.unlock(.passphrase(Self.passphrase))
            }
        }
    }

    @Test("A room of the disk is there again after unlocking, one in memory is not")
    func rooms() async throws {
        let home = try TestHome()
        let node = try await LiveNode("Alice", MeshOptions(), home: .directory(home.directory), passphrase: "x").node
        let room = try await node.rooms.create(RoomPlan(title: "kept"))
        var fleeting = RoomPlan(title: "fleeting")
        fleeting.isEphemeral = true
        try await node.rooms.create(fleeting)
        try await node.lock()
        try await node.unlock(.passphrase("x"))
        #expect(try await node.rooms.all().map(\.id) == [room.id])
        await node.stop()
        await #expect(throws: ChatError.self) { try await node.lock() }
    }

    /// A weak reference to a secret.
    ///
    /// It does not keep the secret in memory.
    private struct Held: Sendable {
        weak var secret: SecretBytes?
    }

    @Test("Locking lets go of the node's and its rooms' secrets, whose last reference erases them")
    func secrets() async throws {
        let home = try TestHome()
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let alice = try await LiveNode("Alice", mesh, home: .directory(home.directory), passphrase: Self.passphrase)
        try await withRunning(alice) {
            let room = try await alice.node.rooms.create(RoomPlan(title: "kept"))
            func held() async throws -> [Held] {
                let number = try #require(await alice.node.registry.number(of: room.id))
                let open = try #require(await alice.node.registry[number])
                var seeds: [Held] = []
                for account in [await alice.node.account, open.account] {
                    seeds.append(Held(secret: try await account.read { $0.sessions.identity.signing.seed }))
                }
                return seeds + [Held(secret: open.key.secret)]
            }
            let secrets = try await held()
            #expect(secrets.allSatisfy { $0.secret != nil })
            try await alice.node.lock()
            // A task that has just ended may hold a secret for a moment.
            while secrets.contains(where: { $0.secret != nil }) { await Task.yield() }
        }
    }

    @Test("A node that is stopped while it becomes locked is stopped, and opens again")
    func stoppedMeanwhile() async throws {
        let home = try TestHome()
        let alice = try await LiveNode("Alice", MeshOptions(), home: .directory(home.directory), passphrase: "x").node
        async let locking: Void = alice.lock()
        await alice.stop()
        _ = try? await locking
        let error = await #expect(throws: ChatError.self) { try await alice.unlock(.passphrase("x")) }
        #expect(error?.code == .stopped)
        #expect(try await home.refusal(passphrase: "x") == nil)
    }

    @Test("Without a passphrase nothing is locked, and a locked node stops, starts and is erased like another")
    func limits() async throws {
        let node = try await LiveNode("Alice", MeshOptions()).node
        let error = await #expect(throws: ChatError.self) { try await node.lock() }
        #expect(error?.code == .noPassphrase)
        await node.stop()

        let home = try VaultHome()
        try await home.make()
        try await home.open { node in
            try await node.changeKey(from: .keyFile, to: .passphrase(Self.passphrase))
            try await node.lock()
            let error = await #expect(throws: ChatError.self) { try await node.start() }
            #expect(error?.code == .locked)
        }
        try await home.open(passphrase: Self.passphrase) { node in
            try await node.lock()
            try await node.destroy()
        }
        #expect(!FileManager.default.fileExists(atPath: home.directory.path))
    }
}
