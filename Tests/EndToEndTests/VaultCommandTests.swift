import Foundation
import Testing

/// Homes with a passphrase, as a user at a terminal creates, locks and destroys them.
@Suite("Vault by command", .serialized, .timeLimit(.minutes(30)))
struct VaultCommandTests {
    private let folder: TemporaryFolder
    private var home: URL { folder.url.appending(path: "alice") }

    init() throws { folder = try TemporaryFolder() }

    /// Runs a command on Alice's home.
    ///
    /// Tests without questions have no terminal.
    @discardableResult
    private func run(
        _ arguments: [String],
        status: Int32,
        passphrase: String = "",
        new: String = ""
    ) throws -> Command {
        let command = try Command.run(
            [Command.earshot, "--home", home.path, "--json"] + arguments,
            environment: ["EARSHOT_PASSPHRASE": passphrase, "EARSHOT_NEW_PASSPHRASE": new]
        )
        #expect(command.status == status, "\(arguments): \(command.errors)")
        return command
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let url = folder.url.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test("A passphrase is set, changed and removed, never by an argument; a wrong one is one clear error")
    func passphrases() throws {
        try run(["init", "--name", "Alice", "--no-passphrase"], status: 0)
        try run(["passphrase", "set"], status: 64)
        try run(["passphrase", "change"], status: 65, passphrase: "a", new: "b")
        #expect(try run(["passphrase", "set"], status: 0, new: "old horse").output == #"{"passphrase":true}"# + "\n")
        try run(["passphrase", "set"], status: 65, new: "another")
        #expect(try run(["status"], status: 77).errors.contains("EARSHOT_PASSPHRASE"))
        let wrong = try run(["passphrase", "change"], status: 77, passphrase: "no horse", new: "x")
        #expect(wrong.errors == "earshot: The passphrase is wrong.\n")
        let (old, new) = (try file("old", "old horse\nmore"), try file("new", "new horse\n"))
        try run(["passphrase", "change", "--passphrase-file", old, "--new-passphrase-file", new], status: 0)
        let removed = try run(["passphrase", "remove"], status: 0, passphrase: "new horse")
        #expect(removed.output == #"{"passphrase":false}"# + "\n")
        #expect(removed.errors.contains("Warning: anybody who can read the files"))
        try run(["status"], status: 0)
        try run(["lock"], status: 69)
        try run(["node", "--auto-lock", "10m"], status: 65)
        try run(["node", "--auto-lock", "0s"], status: 64)
    }

    @Test("An identity is backed up into a file that nobody else reads, and restored into an empty home alone")
    func backup() throws {
        let (secret, file) = (try file("secret", "horse\n"), folder.url.appending(path: "alice.key").path)
        let options = ["--backup-passphrase-file", secret]
        let made = try run(["init", "--name", "Alice", "--no-passphrase"], status: 0).output
        try run(["identity", "backup", file], status: 64)
        try run(["identity", "backup", file] + options, status: 0)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        try run(["identity", "backup", file] + options, status: 65)
        let restore = ["identity", "restore", file, "--no-passphrase"]
        try run(restore + options, status: 65)
        try run(["erase", "--everything", "--yes"], status: 0)
        try run(restore + ["--backup-passphrase-file", try self.file("wrong", "cow")], status: 77)
        try run(["identity", "restore", secret, "--no-passphrase"] + options, status: 65)
        #expect(try run(restore + options, status: 0).output == made)
    }

    @Test("An erasure that was cut off is finished by the next command, which refuses; the one after begins anew")
    func cutOff() throws {
        try run(["init", "--name", "Alice", "--no-passphrase"], status: 0)
        try run(["erase"], status: 64)
        try run(["erase", "--everything", "--conversation", "Bob"], status: 64)
        try run(["erase", "--everything"], status: 64)
        try run(["erase", "--conversation", "Bob", "--yes"], status: 65)
        try Data().write(to: home.appending(path: "erasing"))
        #expect(try run(["peers"], status: 77).errors.contains("nothing is left"))
        #expect(!FileManager.default.fileExists(atPath: home.path))
        try run(["erase", "--everything", "--yes"], status: 65)
        try run(["init", "--name", "Alice", "--no-passphrase"], status: 0)
        try run(["erase", "--everything", "--yes"], status: 0)
        #expect(!FileManager.default.fileExists(atPath: home.path))
    }

    @Test("A node is locked, keeps what a friend sends, is unlocked and has it, and in the end is erased")
    func life() async throws {
        let (alice, bob) = (try node("Alice", passphrase: "horse"), try node("Bob"))
        let (aliceID, bobID) = (try await alice.ready(), try await bob.ready())
        try await alice.knows(bobID)
        try await bob.knows(aliceID)
        try await alice.send("first", to: bobID)
        _ = try await bob.message("first")
        try await bob.call("trust", ["peer": .string(aliceID), "action": .string("accept")])
        try await alice.delivered(1)

        #expect(try run(["unlock"], status: 0).output == "{}\n")
        let unlock = [Command.earshot, "--home", home.path, "unlock"]
        #expect(try Command.run(unlock).output == "The node is not locked.\n")
        try run(["lock"], status: 0)
        _ = try await alice.event("locked") { $0["type"]?.string == "locked" }
        #expect(try run(["status"], status: 0).output.contains(#""locked":true"#))
        #expect(try run(["send", "Bob", "not now"], status: 77).errors.contains("unlock"))
        let late = try await bob.send("while locked", to: aliceID)
        _ = try await bob.event("carried") {
            $0["type"]?.string == "status" && $0["message"]?.string == late && $0["status"]?.string == "carried"
        }
        try run(["unlock"], status: 77)
        try run(["unlock"], status: 77, passphrase: "cow")
        try run(["unlock"], status: 0, passphrase: "horse")
        _ = try await alice.message("while locked")
        #expect(try run(["status"], status: 0).output.contains(#""locked":false"#))

        try run(["erase", "--conversation", "Bob", "--yes"], status: 0)
        _ = try await alice.event("erased") { $0["conversation"]?.string == bobID && $0["type"]?.string == "erased" }
        #expect(try run(["history", "show", "Bob"], status: 0).output.isEmpty)
        try run(["erase", "--everything", "--yes"], status: 0)
        #expect(await alice.ends() == 0)
        #expect(!FileManager.default.fileExists(atPath: home.path))
        await bob.stop()
    }

    /// Starts a node on the loopback interface, on a random group that other tests almost certainly do not use.
    private func node(_ name: String, passphrase: String? = nil) throws -> NodeProcess {
        let home = folder.url.appending(path: name.lowercased())
        let environment = ["EARSHOT_PASSPHRASE": passphrase ?? ""]
        let made = try Command.run(
            [Command.earshot, "--home", home.path, "init", "--name", name]
                + (passphrase == nil ? ["--no-passphrase"] : []),
            environment: environment
        )
        guard made.status == 0 else { throw NodeProcess.Failure(description: "init: \(made.errors)") }
        let options = NodeProcess.loopback(group)
        return try NodeProcess(name, home: home, options, environment: environment)
    }

    private let group = NodeProcess.randomGroup()
}
