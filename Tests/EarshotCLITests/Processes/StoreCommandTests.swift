import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Commands on a home where no node runs", .timeLimit(.minutes(30)))
struct StoreCommandTests {
    private static let unknown = String(repeating: "12345", count: 12)

    @Test(
        "Bad usage ends with 64 and says what is wrong, on standard error alone",
        arguments: [
            (["gossip"], "gossip"), (["init"], "--name"), (["init", "--name", "A"], "--no-passphrase"),
            (["send", "Bob"], "Give a text"), (["send", "Bob", "x", "--wait", "soon"], "soon"),
            (["send", "Bob", "x", "--timeout", "long"], "long"),
            (["node", "--discovery", "239.255.0.1"], "239.255.0.1"), (["node", "--peer", ":5"], ":5"),
            (["node", "--carrier", "serial:5"], "'serial:5' is not a carrier. Write tcp:HOST:PORT"),
            (["node", "--port", "70000"], "70000"), (["history", "show", "Bob", "--limit", "0"], "--limit"),
            (["history", "show", "Bob", "--after", "soon"], "soon"),
            (["history", "keep", "--days", "0"], "--days"), (["history", "keep", "--as-all"], "--conversation"),
            (["history", "keep", "--messages", "9", "--forever"], "--forever"), (["history", "delete"], "<what>"),
            (["ping", "Bob", "--count", "0"], "--count"), (["ping", "Bob", "--count", "1001"], "--count"),
            (["verify", "Bob"], "--number"), (["trust", "marry", "Bob"], "marry"),
        ]
    )
    func usage(arguments: [String], reason: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await EarshotProcess.run(["--home", folder.path("home")] + arguments)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(reason))
        #expect(run.output == "")
        #expect(!FileManager.default.fileExists(atPath: folder.path("home")))
    }

    @Test("An identity is made once, in a home that is its owner's alone")
    func initialise() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        let arguments = ["--home", home, "--json", "init", "--name", "Zażółć", "--no-passphrase"]
        let run = try await EarshotProcess.run(arguments)
        let made = try RPCCoding.decode(IdentityOutput.self, from: Array(run.output.utf8))
        #expect(run.status == 0 && made.name == "Zażółć" && made.id.count == 64)
        let attributes = try FileManager.default.attributesOfItem(atPath: home)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let again = try await EarshotProcess.run(arguments)
        #expect(again.status == 65 && again.output == "" && again.errors.contains("--home"))
        let status = try await EarshotProcess.run(["status", "--json"], environment: ["EARSHOT_HOME": home])
        #expect(try RPCCoding.decode(StatusReply.self, from: Array(status.output.utf8)).id == made.id)
    }

    @Test("A nickname that hides others is refused and nothing is made", arguments: ["", "a\u{202E}b", "a\nb"])
    func badName(name: String) async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        let run = try await EarshotProcess.run(["--home", home, "init", "--name", name, "--no-passphrase"])
        #expect(run.status == 65)
        let status = try await EarshotProcess.run(["--home", home, "--quiet", "status"])
        #expect(status.status == 0 && !status.output.contains(name.isEmpty ? "\u{202E}" : name))
    }

    @Test("A command on no identity makes one, says so, and --quiet keeps it to itself")
    func firstUse() async throws {
        let folder = try TemporaryFolder()
        let loud = try await EarshotProcess.run(["--home", folder.path("a"), "--json", "status"])
        #expect(loud.status == 0 && loud.errors.contains("without a passphrase"))
        let quiet = try await EarshotProcess.run(["--home", folder.path("b"), "--json", "--quiet", "status"])
        #expect(quiet.status == 0 && quiet.errors == "")
    }

    @Test("A home with a passphrase opens with it, from a file or the environment, and with nothing else")
    func passphrase() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        try Data("correct horse\nsecond line\n".utf8).write(to: folder.url.appendingPathComponent("right"))
        try Data("battery\n".utf8).write(to: folder.url.appendingPathComponent("wrong"))
        let made = try await EarshotProcess.run([
            "--home", home, "--passphrase-file", folder.path("right"), "init", "--name", "Alice",
        ])
        #expect(made.status == 0, "\(made.errors)")
        let status = ["--home", home, "status"]
        let byFile = try await EarshotProcess.run(status + ["--passphrase-file", folder.path("right")])
        #expect(byFile.status == 0)
        let byVariable = try await EarshotProcess.run(status, environment: ["EARSHOT_PASSPHRASE": "correct horse"])
        #expect(byVariable.status == 0)
        let wrong = try await EarshotProcess.run(status + ["--passphrase-file", folder.path("wrong")])
        #expect(wrong.status == 77 && wrong.output == "")
        let none = try await EarshotProcess.run(status)
        #expect(none.status == 77 && none.errors.contains("--passphrase-file"))
        let missing = try await EarshotProcess.run(status + ["--passphrase-file", folder.path("missing")])
        #expect(missing.status == 65)
        let again = try await EarshotProcess.run([
            "--home", home, "--passphrase-file", folder.path("wrong"), "init", "--name", "Eve",
        ])
        #expect(again.status == 65 && again.output == "")
    }

    @Test(
        "Whom nobody knows ends with 65",
        arguments: [
            ["history", "show", "Bob"], ["fingerprint", "Bob"], ["trust", "accept", "Bob"],
            ["verify", "Bob", "--number", unknown], ["verify", "Bob", "--number", "123"],
        ]
    )
    func unknownContact(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let run = try await EarshotProcess.run(["--home", folder.path("home"), "--quiet", "--json"] + arguments)
        #expect(run.status == 65 && run.output == "")
        #expect(run.errors.hasPrefix("earshot: ") && run.errors.split(separator: "\n").count == 1)
    }

    @Test(
        "What is empty is an empty list",
        arguments: [["peers"], ["trust", "list"], ["history", "list"]]
    )
    func emptyLists(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let run = try await EarshotProcess.run(["--home", folder.path("home"), "--quiet", "--json"] + arguments)
        #expect(run.status == 0 && run.output == "[]\n" && run.errors == "")
    }
}
