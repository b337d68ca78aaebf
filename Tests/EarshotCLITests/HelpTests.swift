import ArgumentParser
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Help")
struct HelpTests {
    /// A command as the parser describes it.
    private struct Described: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let name: String
            }

            let names: [Name]?
            let valueName: String?
            let abstract: String?

            var title: String { names?.last?.name ?? valueName ?? "" }
        }

        let commandName: String
        let abstract: String?
        let arguments: [Argument]?
        let subcommands: [Described]?

        /// Returns this command and all its subcommands, each with the words that follow `earshot`.
        func all(after path: [String] = []) -> [(path: String, command: Described)] {
            // The parser adds a command that shows help.
            let below = (subcommands ?? []).filter { $0.commandName != "help" }
            return [(path.joined(separator: " "), self)]
                + below.flatMap { $0.all(after: path + [$0.commandName]) }
        }
    }

    private struct Dump: Decodable {
        let command: Described
    }

    /// The commands as the parser describes them, cached because the parser takes long.
    private static let described = Result {
        try JSONDecoder().decode(Dump.self, from: Data(EarshotCommand._dumpHelp().utf8)).command.all()
    }

    private static func commands() throws -> [(path: String, command: Described)] { try described.get() }

    /// Returns the words of each command that has no subcommands.
    static func leaves() throws -> [String] {
        try commands().filter { $0.command.all().count == 1 }.map(\.path)
    }

    @Test("Every command is explained, and each of its options and arguments")
    func complete() throws {
        let commands = try Self.commands()
        #expect(commands.count > 70)
        for (path, command) in commands {
            #expect(command.abstract?.hasSuffix(".") == true, "earshot \(path)")
            for argument in command.arguments ?? [] where argument.title != "help" && argument.title != "version" {
                #expect(argument.abstract?.hasSuffix(".") == true, "earshot \(path) \(argument.title)")
            }
        }
    }

    @Test("Help fits a terminal of 80 columns")
    func width() {
        func check(_ command: any ParsableCommand.Type) {
            let help = EarshotCommand.helpMessage(for: command, columns: 80)
            let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first?.hasPrefix("OVERVIEW: ") == true && help.contains("\nUSAGE: earshot "), "\(command)")
            // The terminal wraps the text after USAGE.
            for line in lines where line.count > 80 && !line.hasPrefix("USAGE: ") {
                Issue.record("\(command): \(line)")
            }
            for subcommand in command.configuration.subcommands { check(subcommand) }
        }
        check(EarshotCommand.self)
    }

    @Test(
        "The commands and options that scripts rely on are there",
        arguments: [
            "init: name no-passphrase",
            """
            node: stdio relay-only interface discovery no-multicast peer port mesh-passphrase-file web
            """,
            "chat: who", "send: who text file wait timeout", "listen:", "peers:", "ping: who", "map: svg", "doctor:",
            "fingerprint: who", "verify: who number qr", "trust list:", "trust accept: who", "trust block: who",
            "trust unblock: who", "trust rotate:", "trust revoke:", "name: who name clear", "room create: title",
            "room join: code",
            "room approve: room joiner", "room list:", "room rename: room title", "room leave: room",
            "group create: title members", "group add: group members", "group remove: group member",
            "group rename: group title", "group admin: group member", "group successor: group member",
            "group takeover: group", "group inviters: verified|accepted|nobody", "group handover: group member",
            "group leave: group", "group list:",
            "history list:", "history show: who", "history search: query", "history export: file",
            "history import: file", "history delete: what", "erase: conversation everything", "passphrase set:",
            "passphrase change:", "passphrase remove:", "lock:", "unlock:", "web: port open",
            "simulate: scenario list check",
            "assistant: endpoint model system-prompt-file allow context-tokens rate concurrent answer-timeout check",
            "assistant: vision", "demo:",
        ]
    )
    func contract(line: String) throws {
        let parts = line.split(separator: ":")
        let command = try #require(try Self.commands().first { $0.path == parts[0] }?.command, "\(parts[0])")
        let wanted = parts.dropFirst().flatMap { $0.split(separator: " ").map(String.init) }
        let known = Set((command.arguments ?? []).map(\.title))
        let missing = Set(wanted + ["home", "json", "quiet", "passphrase-file"]).subtracting(known)
        #expect(missing.isEmpty, "earshot \(parts[0]) lacks \(missing)")
    }
}
