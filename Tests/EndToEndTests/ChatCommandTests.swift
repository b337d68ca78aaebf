import Foundation
import Testing

/// A user at a terminal and a node beside it, on the loopback interface.
///
/// The terminal is emulated in memory; this does not show the rendering of pictures in a real one.
@Suite("Chat in a terminal", .serialized, .timeLimit(.minutes(30)))
struct ChatCommandTests {
    @Test("Messages appear above what is typed, and a line, a paste of 10 KB and commands go out as they were meant")
    func conversation() async throws {
        let pair = try await ChatPair.start()
        let terminal = try Terminal(pair.chat())
        let alice = try await pair.meet(at: terminal)

        try await terminal.type("half a line, ünd 語")
        try await terminal.shows("Bob> half a line, ünd 語")
        for text in ["語言 and 한국어", "שלום עולם", "\u{1B}[2Jnothing\u{7}", String(repeating: "word ", count: 40)] {
            try await pair.bob.send(text, to: alice)
        }
        let typing = try await terminal.shows(
            "   4 │ \\u{1b}[2Jnothing\\u{7}",
            "   5 │ word word",
            "     │ word word",
            "Bob> half"
        )
        #expect(typing.text.last == "Bob> half a line, ünd 語")
        #expect(typing.screen.count(where: { $0.hasPrefix("Bob>") }) == 1 && typing.screen.contains("   3 │ שלום עולם"))
        #expect(typing.screen.count(where: { $0.hasPrefix("── not verified") }) == 1)
        // Each of the two wide characters of the line takes two columns.
        #expect(typing.cursor[0] == "Bob> half a line, ünd ".count + 2)

        try await terminal.type("\u{1B}[D!\u{5} :fire:\r")
        _ = try await pair.bob.message("half a line, ünd !語 🔥")
        try await terminal.shows("   6 ┃ half a line, ünd !語 🔥  ✓ delivered", "Bob>", lacks: ["Bob> half"])

        let paste = (1...330).map { "/quit line \($0) of a paste, é語" }.joined(separator: "\n")
        #expect(paste.utf8.count > 10_000)
        try await terminal.paste("About:\n" + paste.replacing("\n", with: "\r"))
        let pasted = try await terminal.shows("  /quit line 330 of a paste, é語")
        #expect(pasted.status == nil && pasted.text.last == "  /quit line 330 of a paste, é語")
        try await terminal.type("\r")
        _ = try await pair.bob.message("About:\n" + paste)

        try await commands(terminal, pair, alice)
    }

    @Test("A chat that is a node itself uses the hubs that it is given, and those of its data directory")
    func hubs() async throws {
        let pair = try await ChatPair.start()
        // Nothing listens on these ports.
        let home = ["--home", pair.aliceHome]
        #expect(try Command.run([Command.earshot] + home + ["hub", "add", "tls://127.0.0.1:2"]).status == 0)
        let terminal = try Terminal(pair.chat("--hub", "tls://127.0.0.1:1"))
        try await terminal.shows("── /dm WHO to talk", "\n>")
        let status = try Command.run([Command.earshot] + home + ["status", "--json"])
        let reply = try JSONDecoder().decode(JSONValue.self, from: Data(status.output.utf8))
        let addresses = reply["hubs"]?.array?.map { $0["address"]?.string }
        #expect(addresses == ["tls://127.0.0.1:2", "tls://127.0.0.1:1"])
        try await terminal.type("/quit\r")
        #expect(try await terminal.ends().status == 0)
    }

    private func commands(_ terminal: Terminal, _ pair: ChatPair, _ alice: String) async throws {
        try await terminal.type("/poll Tea? | yes | no\r")
        let poll = try await pair.bob.event("the poll") { $0["message"]?["kind"]?.string == "poll" }
        try await pair.bob.call(
            "poll.vote",
            ["poll": poll["message"]?["id"] ?? .null, "options": .array([.number(0)])]
        )
        try await terminal.shows("Poll 8 has votes:", "1 yes  ████████████████ 1", "2 no   ░░░░░░░░░░░░░░░░ 0")
        try await terminal.type("/react 1 :+1:\r")
        try await terminal.shows(" · 👍 on message 1")
        try await terminal.type("/reply 1 To you, too\r")
        try await terminal.shows("   9 ┃ > Bob: Hello 語 👋", "     ┃ To you, too  ✓ delivered")
        try await terminal.type("/delete 77\r")
        try await terminal.shows("✗ No message has the number 77.")
        try await terminal.type("/hide\r")
        try await terminal.shows("── hidden: /show ──", lacks: ["Bob", "To you, too"])
        try await pair.bob.send("while hidden", to: alice)
        try await terminal.shows("── hidden: /show ── 1 new ──", lacks: ["while hidden"])
        try await terminal.type("\r")
        try await terminal.shows("  10 │ while hidden", "Bob>")
        try await terminal.type("/quit\r")
        #expect(try await terminal.ends().status == 0)
        await terminal.close()
        await pair.bob.stop()
    }

    @Test("A resize, Ctrl-Z, Ctrl-C and signals leave the terminal as it was")
    func terminalStays() async throws {
        let pair = try await ChatPair.start()
        let terminal = try Terminal(pair.chat())
        let alice = try await pair.meet(at: terminal)
        #expect(try await terminal.shows("Bob>").marksPastes)

        try await terminal.type("not lost")
        try await terminal.shows("Bob> not lost")
        try await terminal.resize(width: 50, height: 12)
        try await pair.bob.send("narrow " + String(repeating: "word ", count: 12), to: alice)
        let narrow = try await terminal.shows("   2 │ narrow word", "     │ word", "Bob> not lost")
        #expect(
            narrow.screen.count(where: { $0.hasPrefix("Bob>") }) == 1 && narrow.screen.allSatisfy { $0.count <= 50 }
        )
        try await terminal.resize(width: 100, height: 30)
        try await pair.bob.send("wide", to: alice)
        let wide = try await terminal.shows("   3 │ wide", "Bob> not lost")
        #expect(wide.screen.count(where: { $0.hasPrefix("Bob>") }) == 1)

        try await terminal.type("\u{1A}")
        let stopped = try await terminal.stops()
        #expect(stopped.modesAsBefore && stopped.cursorShown && !stopped.marksPastes)
        try await terminal.signal(SIGCONT)
        let continued = try await terminal.shows("Bob> not lost")
        #expect(!continued.modesAsBefore && continued.marksPastes)
        #expect(continued.screen.count(where: { $0.hasPrefix("Bob>") }) == 1)

        try await terminal.type("\u{3}")
        try await terminal.shows("Bob>", lacks: ["not lost"])
        try await terminal.type("\u{10}\u{10}")
        try await terminal.shows("Bob> /trust accept Bob")
        try await terminal.type("\u{3}")
        try await terminal.shows("Bob>", lacks: ["Bob> /"])
        try await terminal.type("\u{3}")
        let ended = try await terminal.ends()
        #expect(ended.status == 0 && ended.modesAsBefore && ended.cursorShown && !ended.marksPastes)
        #expect(!ended.screen.contains { $0.hasPrefix("Bob>") || $0.hasPrefix("── not verified") })
        await terminal.close()

        try await signals(pair)
    }

    /// Checks the same if the command is a client of the node that runs on the home.
    private func signals(_ pair: ChatPair) async throws {
        let node = try ChatPair.node("Alice", pair.folder, pair.group)
        _ = try await node.ready()
        for (number, environment) in [(SIGHUP, [:]), (SIGTERM, ["NO_COLOR": "1"])] as [(Int32, [String: String])] {
            let client = try Terminal(pair.chat("Bob"), environment: environment)
            let open = try await client.shows("   3 │ wide", "Bob>")
            #expect(open.coloured == environment.isEmpty)
            try await client.signal(number)
            let gone = try await client.ends()
            #expect(gone.status == 0 && gone.modesAsBefore && gone.cursorShown && !gone.marksPastes)
            await client.close()
        }
        let last = try Terminal(pair.chat("Bob"))
        try await last.shows("   3 │ wide", "Bob>")
        await node.stop()
        let left = try await last.ends()
        #expect(
            left.status == 69 && left.modesAsBefore
                && left.text.last == "earshot: The node of this data directory has ended."
        )
        await last.close()
        await pair.bob.stop()
    }

    @Test("In a pipe lines go in and out, and the status says what could not be done")
    func pipes() async throws {
        let pair = try await ChatPair.start()
        let bobID = try await pair.bob.ready()
        let node = try ChatPair.node("Alice", pair.folder, pair.group)
        _ = try await node.ready()
        try await node.knows(bobID)
        let run = try Command.run(pair.chat("Bob"), input: "Hello :wave:\n/who\nlast without an end")
        #expect(run.status == 0 && run.errors == "", "\(run)")
        #expect(run.output.contains("── Bob ──\n") && run.output.contains("  1 ┃ Hello 👋  ○ queued\n"))
        #expect(!run.output.contains("\u{1B}") && run.output.contains("CONVERSATION"))
        _ = try await pair.bob.message("Hello 👋")
        _ = try await pair.bob.message("last without an end")
        let namesake = try Command.run(pair.chat(), input: "/room create Bob 1h\n/dm Bob\nto the person\n")
        #expect(namesake.status == 0, "\(namesake)")
        _ = try await pair.bob.message("to the person")
        let json = try Command.run(pair.chat("Bob", "--json"), input: "as JSON\n")
        #expect(json.status == 0)
        let message = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
        #expect(message["text"]?.string == "as JSON" && message["outgoing"] == .bool(true))
        for (arguments, input, status) in [
            (["Nobody"], "", 65), (["--xyz"], "", 64), (["Bob"], "/dm Nobody\n", 65), (["Bob"], "/expire 9000h\n", 65),
            (["Bob"], "/lock\n", 65), (["Bob"], "/vote\n", 65),
            (["Bob"], (0...16).map { "/edit 1 text \($0)\n" }.joined(), 75), (["Bob"], "/trust block\nNo\n", 77),
        ] as [([String], String, Int32)] {
            let run = try Command.run(pair.chat() + arguments, input: input)
            #expect(run.status == status, "\(arguments) \(input): \(run)")
        }
        await node.stop()
        await pair.bob.stop()
    }
}
