import Foundation
import Testing

/// Two processes that exchanged messages, and commands on the homes that they leave.
@Suite("Export and import by command", .serialized, .timeLimit(.minutes(30)))
struct ArchiveCommandTests {
    @Test("A history goes from one home to another, sealed or plain, and bad input is refused with its status")
    func commands() async throws {
        let folder = try TemporaryFolder()
        let (home, other) = (folder.url.appending(path: "alice"), folder.url.appending(path: "carol"))
        let secret = folder.url.appending(path: "secret")
        try Data("correct horse\n".utf8).write(to: secret)
        func run(_ home: URL, _ arguments: String...) throws -> Command {
            try Command.run([Command.earshot, "--home", home.path, "--quiet"] + arguments)
        }
        func path(_ name: String) -> String { folder.url.appending(path: name).path }
        for (name, home) in [("Alice", home), ("Bob", folder.url.appending(path: "bob")), ("Carol", other)] {
            #expect(try run(home, "init", "--name", name, "--no-passphrase").status == 0)
        }
        let mesh = NodeProcess.loopback()
        let alice = try NodeProcess("Alice", home: home, mesh)
        let bob = try NodeProcess("Bob", home: folder.url.appending(path: "bob"), mesh)
        _ = try await alice.ready()
        try await alice.knows(try await bob.ready())
        #expect(try run(home, "send", "Bob", "The old oak").status == 0)
        #expect(try run(home, "send", "Bob", "see", "--file", secret.path).status == 0)

        // The first export goes through the running node, the next runs without a node.
        let sealed = try run(home, "history", "export", path("a"), "--archive-passphrase-file", secret.path, "--json")
        #expect(sealed.status == 0 && sealed.output.contains(#""files":1,"messages":2"#))
        await bob.stop()
        await alice.stop()
        #expect(try run(home, "history", "export", path("b"), "--plain").status == 64)
        #expect(try run(home, "history", "export", path("b")).status == 77)
        #expect(try run(home, "history", "export", path("b"), "--plain", "--yes", "--conversation", "Bob").status == 0)
        #expect(try run(home, "history", "export", path("b"), "--plain", "--yes").status == 65)
        #expect(try run(home, "history", "export", path("c"), "--plain", "--yes", "--conversation", "Eve").status == 65)
        #expect(try run(home, "history", "export", path("c"), "--format", "pdf").status == 64)
        #expect(try run(home, "history", "export", path("c"), "--format", "html", "--yes").status == 0)
        #expect(try String(contentsOfFile: path("c"), encoding: .utf8).contains("The old oak"))

        try take(from: folder.url, into: other, secret)
    }

    private func take(from folder: URL, into other: URL, _ secret: URL) throws {
        func run(_ home: URL, _ arguments: String...) throws -> Command {
            try Command.run([Command.earshot, "--home", home.path, "--quiet"] + arguments)
        }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        #expect(try run(other, "history", "import", path("none")).status == 65)
        #expect(try run(other, "history", "import", secret.path).status == 65)
        #expect(try run(other, "history", "import", path("a")).status == 77)
        let taken = try run(other, "history", "import", path("a"), "--archive-passphrase-file", secret.path)
        #expect(taken.status == 0)
        let told = taken.output.split(separator: "\n")
        #expect(told.first == "2 messages, 1 attachments and 1 contacts are new; 0 messages were here already.")
        #expect(told.count == 2 && told.last?.hasPrefix("Added Bob, new, fingerprint ") == true)
        let again = try run(other, "history", "import", path("b"))
        #expect(again.output == "0 messages, 0 attachments and 0 contacts are new; 2 messages were here already.\n")
        let shown = try run(other, "history", "show", "Bob")
        #expect(shown.status == 0 && shown.output.contains("The old oak  (imported"))
        #expect(try run(other, "history", "search", "oak").output.contains("The old oak"))
        #expect(try run(other, "trust", "list").output.contains("  new  "))

        var lines = try String(contentsOfFile: path("b"), encoding: .utf8)
        lines += "{\"type\":\"message\"}\n"
        try Data(lines.utf8).write(to: URL(filePath: path("d")))
        let broken = try run(other, "history", "import", path("d"))
        let number = lines.count { $0 == "\n" }
        #expect(broken.status == 65)
        #expect(broken.output.contains("Line \(number) was left out: it is not in the format of an export."))
    }
}
