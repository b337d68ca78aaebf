import Foundation
import Testing

@Suite("Passphrases that are typed")
struct PassphraseTerminalTests {
    private static let question = "Choose a passphrase (it cannot be recovered; four or more words are good):"

    private let folder: TemporaryFolder
    private var home: [String] { ["--home", folder.url.appending(path: "home").path] }

    init() throws { folder = try TemporaryFolder() }

    @Test("Whatever ends or stops a command that asks for a passphrase, the terminal shows again what is typed")
    func leaving() async throws {
        let made = [Command.earshot] + home + ["init", "--name", "Alice", "--no-passphrase"]
        #expect(try Command.run(made).status == 0)
        for key in ["\u{3}", "\u{1C}"] {
            let terminal = try Terminal([Command.earshot] + home + ["passphrase", "set"])
            try await terminal.shows(Self.question)
            try await terminal.type("horse\(key)")
            let facts = try await terminal.ends()
            #expect(facts.modesAsBefore && facts.status != 0)
            await terminal.close()
        }
        let terminal = try Terminal([Command.earshot] + home + ["passphrase", "set"], width: 200)
        try await terminal.shows(Self.question)
        try await terminal.type("\u{1A}")
        #expect(try await terminal.stops().modesAsBefore)
        try await terminal.signal(SIGCONT)
        try await terminal.shows("\(Self.question) \(Self.question)")
        try await terminal.type("wrong\u{15}brown horsé\u{7F}e\r")
        try await terminal.shows("Once more:")
        try await terminal.type("brown horse\r")
        let facts = try await terminal.ends()
        #expect(facts.modesAsBefore && facts.status == 0 && !facts.text.joined().contains("hors"))
        await terminal.close()
    }

    @Test("A short passphrase is used only if the user says so, and two different ones make no identity")
    func short() async throws {
        let create = [Command.earshot] + home + ["init", "--name", "Alice"]
        let mistaken = try Terminal(create, width: 120)
        try await mistaken.shows(Self.question)
        try await mistaken.type("brown horse\r")
        try await mistaken.shows("Once more:")
        try await mistaken.type("brown house\r")
        try await mistaken.shows("The two passphrases differ, and none was set. Run the command again.")
        #expect(try await mistaken.ends().status == 65)
        await mistaken.close()

        let terminal = try Terminal(create, width: 120)
        try await terminal.shows(Self.question)
        try await terminal.type("abc\r")
        try await terminal.shows("Use it all the same? [y/N]")
        try await terminal.type("\r")
        try await terminal.shows("[y/N]\n\(Self.question)")
        try await terminal.type("def\r")
        try await terminal.shows("[y/N]\n\(Self.question)\nThat is short", lacks: ["Once"])
        try await terminal.type("y\r")
        try await terminal.shows("[y/N] y", "Once more:")
        try await terminal.type("def\r")
        #expect(try await terminal.ends().status == 0)
        await terminal.close()
        let opened = try Command.run([Command.earshot] + home + ["peers"], environment: ["EARSHOT_PASSPHRASE": "def"])
        #expect(opened.status == 0, "\(opened)")
    }
}
