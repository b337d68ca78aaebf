import Foundation
import Testing

/// The commands of the chat at a terminal of 80 columns and 24 rows, between two nodes on the loopback interface.
@Suite("Commands of the chat", .serialized, .timeLimit(.minutes(30)))
struct ChatVerbTests {
    @Test("Files, search, timers, polls and edits go by the numbers of messages")
    func messages() async throws {
        let pair = try await ChatPair.start()
        let terminal = try Terminal(pair.chat())
        let alice = try await pair.meet(at: terminal)
        try await files(pair, terminal, alice)

        try await terminal.type("/search hello\r")
        try await terminal.shows("── found ──", "   1 │ Hello 語 👋", "── end ──")
        try await terminal.type("/search nowhere\r")
        try await terminal.shows(" · Nothing was found.")

        try await terminal.type("/poll Tea? | yes | no\r")
        try await terminal.shows("   4 ┃ Tea?")
        try await terminal.type("/vote 4 2\r")
        try await terminal.shows("Poll 4 has votes:", "2 no   ████████████████ 1")
        try await terminal.type("/poll close 4\r")
        _ = try await pair.bob.event("the end") { $0["message"]?["poll"]?["closed"] == .bool(true) }
        try await terminal.shows("Poll 4 is closed:")
        try await terminal.type("first\r")
        try await terminal.shows("   5 ┃ first  ✓ delivered")
        try await terminal.type("/edit 5 second :tea:\r")
        try await terminal.shows(" · Message 5 says now: second 🍵")
        _ = try await pair.bob.event("the edit") { $0["message"]?["text"]?.string == "second 🍵" }
        try await terminal.type("/delete 5\r")
        try await terminal.shows(" · Message 5 is deleted for everyone.")
        _ = try await pair.bob.event("the deletion") { $0["message"]?["deleted"] == .bool(true) }

        for (typed, seconds) in [("1h", 3_600), ("off", 0)] {
            try await terminal.type("/expire \(typed)\r")
            _ = try await pair.bob.event("the timer") { $0["message"]?["system"]?["expiresAfter"]?.int == seconds }
            guard seconds > 0 else { continue }
            try await terminal.shows(" ── timer 1h ── ", "(set messages to disappear 1 hour after they are read)")
            try await terminal.type("/expire\r")
            try await terminal.shows(" · New messages disappear 1 hour after they are read.")
            let shown = try Command.run([Command.earshot, "--home", pair.aliceHome, "timer", "Bob"])
            #expect(shown.status == 0 && shown.output == "New messages disappear 1 hour after they are read.\n")
        }
        try await terminal.type("/more\r")
        try await terminal.shows(" · There are no older messages.")
        try await finish(terminal, pair)
    }

    /// Sends a file in each direction.
    private func files(_ pair: ChatPair, _ terminal: Terminal, _ alice: String) async throws {
        let (mine, theirs) = (pair.folder.url.appending(path: "my tea.txt"), pair.folder.url.appending(path: "b.txt"))
        try Data("green".utf8).write(to: mine)
        try Data("black".utf8).write(to: theirs)
        try await terminal.type("/file '\(mine.path)' | take :tea:\r")
        try await terminal.shows("   2 ┃ take 🍵", "my tea.txt")
        let sent = try await pair.bob.event("the file") { $0["message"]?["text"]?.string == "take 🍵" }
        _ = try await pair.bob.event("all of it") { $0["bytes"]?.int == 5 && $0["total"]?.int == 5 }
        let copy = try await pair.bob.call("media", ["message": sent["message"]?["id"] ?? .null])
        #expect(try String(contentsOfFile: copy["path"]?.string ?? "", encoding: .utf8) == "green")

        try await pair.bob.call("send", ["to": .string(alice), "files": .array([.string(theirs.path)])])
        try await terminal.shows("   3 │", "b.txt is here: /save 3 keeps a copy.")
        let folder = pair.folder.url.appending(path: "saved")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try await terminal.type("/save 3 \(folder.path)\r")
        try await terminal.shows(" · Saved")
        #expect(try String(contentsOf: folder.appending(path: "b.txt"), encoding: .utf8) == "black")
        try await terminal.type("/save 1\r")
        try await terminal.shows("✗ Message 1 has no attachments.")
        let huge = pair.folder.url.appending(path: "huge")
        try Data().write(to: huge)
        try FileHandle(forWritingTo: huge).truncate(atOffset: (4 << 30) + 1)
        try await terminal.type("/file \(huge.path)\r")
        try await terminal.shows("too large:", "the most.", lacks: ["4294967296"])
    }

    @Test("The safety number is shown with a code, compared, and trust decided")
    func trust() async throws {
        let pair = try await ChatPair.start()
        let terminal = try Terminal(pair.chat())
        let alice = try await pair.meet(at: terminal)
        try await terminal.type("/verify\r")
        let shown = try await terminal.shows("for `verify --qr` on their side:", "█ ▄▄▄▄▄ █", "Bob>")
        // The code has 33 modules, two in a row of characters, with light rows around it.
        let code = shown.screen.filter { $0.count == 41 && $0.allSatisfy { "█▀▄ ".contains($0) } }
        #expect(code.count == 21 && shown.screen.count == 24, "\(shown.screen)")
        let told = (shown.above + shown.screen).joined(separator: " ")
        let number = try await pair.bob.call("safetyNumber", ["peer": .string(alice)])["number"]?.string ?? ""
        #expect(told.filter(\.isNumber).contains(number), "\(told)")

        try await terminal.type("/verify Bob \(number.dropLast(2))\(number.hasSuffix("00") ? "11" : "00")\r")
        try await terminal.shows("✗ The numbers differ.")
        try await terminal.type("/verify \(number)\r")
        try await terminal.shows(" · The numbers match: verified.", "── verified, ")
        try await terminal.type("/trust block\r")
        try await terminal.shows(" · Bob is blocked.")
        try await terminal.type("not to you\r")
        try await terminal.shows("✗ This contact is blocked", lacks: ["┃ not to you"])
        try await terminal.type("/trust unblock Bob\r")
        try await terminal.shows(" · Bob is accepted, but not verified.", "── not verified, ")
        // Quoted text controls the terminal as little as text from others.
        try await terminal.paste("/trust accept a\u{202E}b\rc")
        try await terminal.type("\r")
        try await terminal.shows("✗ No contact is called 'a\\u{202e}b\nc'")
        try await finish(terminal, pair)
    }

    @Test("Rooms are made, joined by their code or with the host's leave, listed and left")
    func rooms() async throws {
        let pair = try await ChatPair.start()
        let terminal = try Terminal(pair.chat())
        _ = try await pair.meet(at: terminal)
        try await terminal.type("/room\r")
        try await terminal.shows("You are in no rooms.")
        try await terminal.type("/room create Tea house 1h\r")
        let made = try await terminal.shows(" · Share the code ", "/dm room:Tea house opens the room.")
        let code = try #require(made.text.joined().firstMatch(of: /the code (\d\d-\d{6})/)).output.1
        try await pair.bob.call("room.join", ["code": .string(String(code)), "name": .string("Robert")])
        try await terminal.type("/dm room:Tea house\r")
        try await terminal.shows("── room:Tea house ──", "(created the room)", "── room, 1 in it ──", "Tea house>")
        try await pair.bob.call("send", ["to": .string("room:Tea house"), "text": .string("anybody?")])
        try await terminal.shows("     Robert", "   4 │ anybody?", lacks: ["has written to you"])
        try await terminal.type("me\r")
        _ = try await pair.bob.event("an answer") { $0["message"]?["text"]?.string == "me" }

        let home = ["--home", pair.aliceHome]
        let shown = try Command.run([Command.earshot] + home + ["history", "show", "room:Tea house"])
        #expect(shown.output.contains("(created the room)"), "\(shown)")

        let door = try Command.run([
            Command.earshot, "--home", pair.aliceHome, "--json", "room", "create", "Door", "--admission",
            "code+approval",
        ])
        let other = try JSONDecoder().decode(JSONValue.self, from: Data(door.output.utf8))
        let join = ["code": other["code"] ?? .null, "name": .string("Rob")]
        #expect(try await pair.bob.call("room.join", join)["standing"]?.string == "waiting")
        // Another client has made the room.
        try await terminal.shows("Rob wants to join Door: open the room to answer.")
        try await terminal.type("/dm room:Door\r")
        try await terminal.shows("── room:Door ──", "Door>")
        try await terminal.type("/room admit Rob\r")
        try await terminal.shows("(added Rob)")
        try await terminal.type("/room list\r")
        try await terminal.shows("TITLE", "Door", "Tea house", "Rob")
        try await terminal.type("/room leave Door\r")
        // The end of the room clears the screen, before or after the command reports it.
        try await terminal.shows(" has ended.")
        try await terminal.type("/room refuse Rob\r")
        try await terminal.shows("✗ Open the room first: /dm room:TITLE.")
        try await finish(terminal, pair)
    }

    @Test("A locked home shows nothing until its passphrase is typed, which is not shown either")
    func lock() async throws {
        let pair = try await ChatPair.start()
        let secret = ["EARSHOT_PASSPHRASE": "green tea", "EARSHOT_NEW_PASSPHRASE": "green tea"]
        let home = ["--home", pair.aliceHome]
        let set = try Command.run([Command.earshot] + home + ["passphrase", "set"], environment: secret)
        #expect(set.status == 0, "\(set.errors)")
        let terminal = try Terminal(pair.chat(), environment: secret)
        let alice = try await pair.meet(at: terminal)
        try await terminal.type("/lock\r")
        let locked = try await terminal.shows("── locked ──", "Passphrase:", lacks: ["Hello", "Bob"])
        #expect(!locked.screen.joined().contains("Hello"))
        let waiting = (1...5).map { "while locked \($0)" }
        for text in waiting { try await pair.bob.send(text, to: alice) }
        try await terminal.type("black tea\r")
        try await terminal.shows("── locked: wrong passphrase ──", "Passphrase:", lacks: ["tea", "while"])
        try await terminal.type("green tea\r")
        try await terminal.shows("── Bob ──", "while locked 5", "Bob>", lacks: ["Passphrase:"])
        try await pair.bob.send("after it", to: alice)
        let open = try await terminal.shows("│ after it", "Bob>")
        let rows = open.above + open.screen
        #expect(!rows.joined().contains("tea"))
        for text in waiting { #expect(rows.count(where: { $0.contains(text) }) == 1, "\(text): \(rows)") }
        try await finish(terminal, pair)
    }

    private func finish(_ terminal: Terminal, _ pair: ChatPair) async throws {
        try await terminal.type("/help\r")
        let help = try await terminal.shows("Your text goes to the open", "/help more explains: /who", "/quit\n── ")
        #expect(help.screen.allSatisfy { $0.count <= 80 })
        try await terminal.type("/help more\r")
        try await terminal.shows("People and rooms\n  /who", "Tab completes commands", "in another terminal.\n── ")
        try await terminal.type("/quit\r")
        #expect(try await terminal.ends().status == 0)
        await terminal.close()
        await pair.bob.stop()
    }
}
