import Foundation
import Testing

/// Replaced and revoked identities, as users at terminals create them.
@Suite("Rotation and revocation by command", .serialized, .timeLimit(.minutes(30)))
struct IdentityCommandTests {
    private let folder: TemporaryFolder
    private let group = NodeProcess.randomGroup()

    private var onLoopback: [String] { NodeProcess.loopback(group) }

    init() throws { folder = try TemporaryFolder() }

    private func home(_ name: String) -> URL { folder.url.appending(path: name.lowercased()) }

    @discardableResult
    private func run(_ name: String, _ arguments: [String], status: Int32 = 0) throws -> Command {
        let command = try Command.run([Command.earshot, "--home", home(name).path, "--json"] + arguments)
        #expect(command.status == status, "\(arguments): \(command.errors)")
        return command
    }

    /// Starts a node on the loopback interface, on a random group that other tests almost certainly do not use.
    private func node(_ name: String) throws -> NodeProcess {
        try NodeProcess(name, home: home(name), onLoopback)
    }

    /// Starts two nodes that have exchanged messages.
    private func talking() async throws -> (alice: NodeProcess, bob: NodeProcess, aliceID: String, bobID: String) {
        for name in ["Alice", "Bob"] { try run(name, ["init", "--name", name, "--no-passphrase"]) }
        let (alice, bob) = (try node("Alice"), try node("Bob"))
        let (aliceID, bobID) = (try await alice.ready(), try await bob.ready())
        try await alice.knows(bobID)
        try await bob.knows(aliceID)
        try await alice.send("hello", to: bobID)
        _ = try await bob.message("hello")
        try await bob.call("trust", ["peer": .string(aliceID), "action": .string("accept")])
        try await alice.delivered(1)
        return (alice, bob, aliceID, bobID)
    }

    private func trustEvent(_ event: String, of peer: String, at node: NodeProcess) async throws -> JSONValue {
        try await node.event(event) {
            $0["type"]?.string == "trust" && $0["event"]?.string == event && $0["peer"]?.string == peer
        }
    }

    @Test("A contact follows a rotation, and later a revocation by its certificate; both survive restarts")
    func life() async throws {
        let (alice, bob, aliceID, bobID) = try await talking()
        try run("Alice", ["trust", "rotate"], status: 64)
        let rotated = try run("Alice", ["trust", "rotate", "--yes"])
        #expect(rotated.errors.contains("Contacts that will be notified of your new identity: 1."))
        let new = try #require(JSONDecoder().decode(JSONValue.self, from: Data(rotated.output.utf8))["id"]?.string)
        #expect(new != aliceID)
        #expect(try await trustEvent("rotated", of: aliceID, at: bob)["to"]?.string == new)
        try await bob.send("to the new one", to: new)
        _ = try await alice.message("to the new one")
        #expect(try run("Bob", ["send", aliceID, "x"], status: 77).errors.contains("new identity"))
        #expect(try run("Bob", ["trust", "list"]).output.contains(#""successor":"\#(new)""#))

        let file = folder.url.appending(path: "alice.revocation").path
        try run("Alice", ["trust", "revoke", "--export", file])
        try run("Alice", ["trust", "revoke", "--export", file], status: 65)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        await alice.stop()
        await bob.stop()
        #expect(try run("Alice", ["status"]).output.contains(new))

        // Bob has the file, and no node runs.
        try run("Bob", ["trust", "revoke", "--certificate", file], status: 64)
        try run("Bob", ["trust", "revoke", "--certificate", file, "--yes"])
        #expect(try run("Bob", ["send", new, "x"] + onLoopback, status: 77).errors.contains("revoked"))
        for action in ["accept", "unblock"] { try run("Bob", ["trust", action, new], status: 77) }
        #expect(!bobID.isEmpty)
    }

    @Test("An own identity that is revoked writes nothing, and its contacts are told by the next node that runs")
    func own() async throws {
        let (alice, bob, aliceID, bobID) = try await talking()
        await alice.stop()
        try run("Alice", ["trust", "revoke"], status: 64)
        #expect(try run("Alice", ["trust", "revoke", "--yes"]).errors.contains("as soon as a node runs"))
        #expect(try run("Alice", ["send", bobID, "x"] + onLoopback, status: 77).errors.contains("trust rotate"))
        #expect(try run("Alice", ["status"]).output.contains(#""revoked":true"#))
        let again = try node("Alice")
        #expect(try await again.ready() == aliceID)
        #expect(try await again.call("status")["revoked"] == .bool(true))
        _ = try await trustEvent("revoked", of: aliceID, at: bob)
        #expect(try run("Bob", ["send", aliceID, "x"], status: 77).errors.contains("revoked"))
        try run("Alice", ["trust", "rotate", "--yes"])
        #expect(try await again.call("status")["revoked"] == nil)
        try await again.send("a stranger now", to: bobID)
        _ = try await bob.message("a stranger now")
        await again.stop()
        await bob.stop()
    }

    @Test("What is no certificate is refused, and nothing is changed")
    func badInput() throws {
        try run("Alice", ["init", "--name", "Alice", "--no-passphrase"])
        let file = folder.url.appending(path: "bad").path
        for bytes in [Data(), Data(repeating: 7, count: 127), Data(repeating: 7, count: 128), Data(count: 1 << 20)] {
            try bytes.write(to: URL(filePath: file))
            try run("Alice", ["trust", "revoke", "--yes", "--certificate", file], status: 65)
        }
        try run("Alice", ["trust", "revoke", "--yes", "--certificate", folder.url.path], status: 65)
        try run("Alice", ["trust", "revoke", "--yes", "--certificate", file + ".none"], status: 65)
        try run("Alice", ["trust", "revoke", "--export", file, "--certificate", file], status: 64)
        try run("Alice", ["trust", "rotate", "now"], status: 64)
        try run("Alice", ["trust", "revoke", "--export", file + ".new"])
    }
}
