import Foundation
import Testing

@Suite("Passphrases that are typed")
struct PassphraseTerminalTests {
    @Test("Whatever ends or stops a command that asks for a passphrase, the terminal shows again what is typed")
    func leaving() async throws {
        let folder = try TemporaryFolder()
        let home = folder.url.appending(path: "home").path
        let made = [Command.earshot, "--home", home, "init", "--name", "Alice", "--no-passphrase"]
        #expect(try Command.run(made).status == 0)
        for key in ["\u{3}", "\u{1C}"] {
            let terminal = try Terminal([Command.earshot, "--home", home, "passphrase", "set"])
            try await terminal.shows("New passphrase:")
            try await terminal.type("horse\(key)")
            let facts = try await terminal.ends()
            #expect(facts.modesAsBefore && facts.status != 0)
            await terminal.close()
        }
        let terminal = try Terminal([Command.earshot, "--home", home, "passphrase", "set"])
        try await terminal.shows("New passphrase:")
        try await terminal.type("\u{1A}")
        #expect(try await terminal.stops().modesAsBefore)
        try await terminal.signal(SIGCONT)
        try await terminal.shows("New passphrase: New passphrase:")
        try await terminal.type("wrong\u{15}horsé\u{7F}e\r")
        try await terminal.shows("Once more:")
        try await terminal.type("horse\r")
        let facts = try await terminal.ends()
        #expect(facts.modesAsBefore && facts.status == 0 && !facts.text.joined().contains("hors"))
        await terminal.close()
    }
}
