import Foundation
import Testing

/// The commands of the README and of the list of commands, in their order and as they stand there.
@Suite("Commands of the README", .serialized, .timeLimit(.minutes(30)))
struct ReadmeCommandTests {
    /// The commands that other tests run, since they need a program that is not here.
    private static let elsewhere = ["earshot assistant"]

    /// A part of the output of each command; the empty text for commands without a fixed output.
    private static let outputs = [
        "init --name Alice": "Fingerprint", "chat Bob": "── Bob ──", "web --open": "http://127.0.0.1:",
        "peers": "in reach", "send Bob \"Hello\"": "",
        "send Bob \"Tea at four?\" --wait delivered": "delivered",
        "send Bob --file photo.jpg": "", "send Bob --image photo.jpg": "", "send Bob --voice note.opus": "",
        "history show Bob --ids": "[picture.jpg, 40 x 30, ", "react MESSAGE 👍": "",
        "send Bob \"Yes\" --reply-to MESSAGE --expires-after 24h": "", "poll create Bob \"Tea?\" yes no": "",
        "history search \"oak tre\" --in Bob --after 7d": "the oak tree", "history export all.earshot": "",
        "group create Trees Bob Carol": "Created \"Trees\" with Bob and Carol.",
        "group create Oaks Bob --history last:50": "Created \"Oaks\" with Bob.",
        "room create Picnic --expires 1h": "-", "media MESSAGE --to .": "photo", "fingerprint Bob": "Safety number",
        "verify Bob --number \"12345 67890 …\"": "The numbers match: Bob is verified.", "history keep --days 90": "90",
        "history check": "", "mute Bob --for 8h": "Bob is muted until ",
        "passphrase change": "The passphrase is changed.",
        "trust rotate": "Fingerprint", "trust revoke --export alice.revocation": "",
        "identity backup alice.key": "", "erase --conversation Bob": "",
        "hub add tls://club@hub.example.org": "is one of your hubs now.",
        "simulate churn --nodes 500 --svg mesh.svg": "",
    ]

    /// A command of a document, and the lines of output that the document shows below it.
    private struct Step {
        let command: String
        var shown: [Substring] = []
    }

    /// Reads Alice's commands in the README, and then those of the list of commands that the README does not have.
    private static func steps() throws -> [Step] {
        var steps: [Step] = []
        var isShown = false
        for line in try document("README.md").split(separator: "\n") {
            if line.hasPrefix("alice$ ") {
                steps.append(Step(command: String(line.dropFirst("alice$ ".count))))
                isShown = true
            } else if line.hasPrefix("bob$ ") || line.hasPrefix("```") {
                isShown = false
            } else if isShown {
                steps[steps.count - 1].shown.append(line)
            }
        }
        for line in try document("Docs/COMMANDS.md").split(separator: "\n") where line.hasPrefix("    earshot ") {
            let text = line.firstRange(of: /\s+#\s/).map { line[..<$0.lowerBound] } ?? line
            let command = text.trimmingCharacters(in: .whitespaces)
            if !steps.contains(where: { $0.command == command }) { steps.append(Step(command: command)) }
        }
        return steps
    }

    private static func document(_ path: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../" + path)
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Returns the words of a line without ids, numbers and signs, which are others each time.
    private static func words(_ line: Substring) -> String {
        line.split(separator: " ").filter { $0.contains(where: \.isLetter) && !$0.contains(where: \.isNumber) }
            .joined(separator: " ")
    }

    @Test("Each command of the README does in a clean data directory what the README says")
    func all() async throws {
        guard let stage = try ReadmeStage() else { return }
        let steps = try Self.steps()
        #expect(steps.count > 30 && steps.count { !$0.shown.isEmpty } >= 5)
        let bob = try stage.friend("Bob")
        let carol = try stage.friend("Carol")
        for node in [bob, carol] { _ = try await node.ready() }
        var nodes: [LineProcess] = []
        defer { for node in nodes { node.terminate() } }
        var message = ""
        for step in steps where !Self.elsewhere.contains(where: step.command.hasPrefix) {
            let command = step.command
            let words = String(command.dropFirst("earshot ".count))
            switch words {
            case "node":
                let node = try LineProcess(stage.words(command + " 2>&1", stays: true))
                nodes.append(node)
                // Until then another command would take the data directory for itself.
                #expect(await node.next() == "Alice is on the air.")
                try stage.wait("earshot peers") { $0.contains("Bob") && $0.contains("Carol") }
            case "listen": try await listen(stage, bob)
            case "trust rotate", "erase --conversation Bob": try await confirm(command, stage)
            default:
                let input = words == "chat Bob" ? "/quit\n" : nil
                let run = try stage.run(try Self.filled(command, message, stage), input: input)
                let expected = try #require(Self.outputs[words], "a new command of the README: \(words)")
                #expect(run.status == 0 && (expected.isEmpty || run.output.contains(expected)), "\(command): \(run)")
                let printed = run.output.split(separator: "\n").map(Self.words)
                let isPrinted = step.shown.allSatisfy { printed.contains(Self.words($0)) }
                #expect(isPrinted, "the README shows \(step.shown) below \(command): \(run)")
                message = Self.message(after: words, run) ?? message
                try await accompany(words, run, stage, bob)
            }
        }
        for node in [bob, carol] { await node.stop() }
    }

    /// Replaces the placeholders of the README: a message, and the number that Bob reads out.
    private static func filled(_ command: String, _ message: String, _ stage: ReadmeStage) throws -> String {
        guard command.contains("12345 67890 …") else { return command.replacing("MESSAGE", with: message) }
        let number = try stage.run("earshot fingerprint Alice", as: "Bob").output.split(separator: "\n")
            .first { $0.hasPrefix("Safety number") }
        return command.replacing("12345 67890 …", with: try #require(number).dropFirst("Safety number".count))
    }

    /// Finds the id of a message with a picture in the history, for the commands after it.
    private static func message(after words: String, _ run: Command) -> String? {
        guard words == "history show Bob --ids" else { return nil }
        let lines = run.output.split(separator: "\n").map(String.init)
        let place = lines.firstIndex { $0.contains("[photo.jpg") }
        return place.flatMap { lines[..<$0].last { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil } }
    }

    /// Does the others' part after a command.
    private func accompany(_ words: String, _ run: Command, _ stage: ReadmeStage, _ bob: NodeProcess) async throws {
        switch words {
        case "web --open":
            let call = try await stage.browser.nextCall()
            #expect(call.mode == "600" && call.file.contains("http://127.0.0.1:"))
        case "send Bob \"Hello\"":
            _ = try await bob.message("Hello")
            // The README says that Bob has to accept Alice.
            let accepted = try stage.run("earshot trust accept Alice", as: "Bob")
            #expect(accepted.output == "Alice is accepted, but not verified.\n", "\(accepted)")
            let waited = try stage.run("earshot send Bob \"Hello again\" --wait delivered")
            #expect(waited.status == 0 && waited.output.hasPrefix("delivered"), "\(waited)")
            // The first path may lead over Carol, who is heard as well.
            try stage.wait("earshot ping Bob") { $0.hasPrefix("Bob: 1 hop, ") }
        case "room create Picnic --expires 1h":
            let code = try #require(run.output.firstMatch(of: /\d\d-\d{6}/)).output
            let joined = try stage.run("earshot room join \(code)", as: "Bob")
            #expect(joined.output == "You joined \"Picnic\" with Alice.\n", "\(joined)")
        case "identity backup alice.key", "trust revoke --export alice.revocation", "history export all.earshot",
            "simulate churn --nodes 500 --svg mesh.svg":
            let file = try #require(words.split(separator: " ").last.map(String.init))
            #expect(FileManager.default.fileExists(atPath: stage.files.appending(path: file).path), "\(words)")
        default: break
        }
    }

    /// Listens while Bob writes.
    private func listen(_ stage: ReadmeStage, _ bob: NodeProcess) async throws {
        let listener = try LineProcess(stage.words("earshot listen", stays: true))
        defer { listener.terminate() }
        let alice = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(try stage.run("earshot status --json").output.utf8)
        )
        // The command listens from an unknown moment on.
        let writer = Task {
            while !Task.isCancelled {
                try await bob.send("the oak tree", to: alice["id"]?.string ?? "")
                _ = try stage.run("earshot status")
            }
        }
        let line = await listener.next()
        writer.cancel()
        _ = await writer.result
        #expect(line?.contains("Bob  the oak tree") == true, "\(line ?? "")")
    }

    /// Runs a command that asks for a confirmation.
    private func confirm(_ command: String, _ stage: ReadmeStage) async throws {
        if command.contains("rotate") {
            // An owner hands their groups over before they get another identity.
            for group in ["Trees", "Oaks"] {
                let handed = try stage.run("earshot group handover \(group) Bob")
                #expect(handed.status == 0, "\(handed)")
            }
        }
        let terminal = try Terminal(stage.words(command), width: 200)
        try await terminal.shows("This cannot be undone. Type yes:")
        try await terminal.type("yes\r")
        let facts = try await terminal.ends()
        #expect(facts.status == 0, "\(command): \(facts.text)")
        await terminal.close()
    }
}
