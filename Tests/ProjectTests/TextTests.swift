import Foundation
import Testing

/// The rules for texts that people read; CONTRIBUTING.md has the vocabulary.
@Suite("Texts")
struct TextTests {
    private static let question = "(What|Who|Whom|Whose|Where|When|Which)\\b"

    /// The words of the vocabulary's right column that have no other meaning in these texts.
    private static let replaced = [
        "newcomer", "stranger", "somebody", "vouch", "fellow member", "knock", "burnt", "turn(ed|s)? (down|them down)",
        "put out", "whom", "his\\b", "he\\b", "growing answer", "first flight", "homes?\\b", "tofu",
    ]

    @Test("No abstract, discussion or help of a command begins with a question word")
    func helpOpenings() throws {
        let pattern = try Regex("(abstract|discussion|help|ArgumentHelp\\():?\\s*\"+\\s*" + Self.question)
        let planted = "@Option(help: \"" + "What to send.\")"
        #expect(planted.contains(pattern) && !"@Option(help: \"The text.\")".contains(pattern))
        let files = Repository.swiftFiles(below: "Sources/EarshotCLI", "Benchmarks/Sources")
        #expect(files.count(where: { $0.text.contains("abstract:") }) > 40)
        #expect(files.filter { $0.text.contains(pattern) }.map(\.path) == [])
    }

    @Test(
        "No heading of a document begins with a question word",
        arguments: [
            "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "PROTOCOL.md", "Docs/JSON-RPC.md",
            "Docs/models/README.md", "Benchmarks/README.md",
        ] + Repository.guides + Repository.articles.map(\.path) + Repository.chapters
    )
    func headings(path: String) throws {
        let pattern = try Regex("(?m)^#+ " + Self.question + "[^\n]*")
        #expect("# A title\n## Who can do what".contains(pattern) && !"## Wherever\n# Use".contains(pattern))
        let text = try #require(Repository.read(path))
        #expect(text.matches(of: pattern).map { String(text[$0.range]) } == [])
    }

    @Test("Documents, command and page use the words of the vocabulary", arguments: replaced)
    func vocabulary(word: String) throws {
        let pattern = try Regex("(?i)\\b" + word)
        #expect("A Stranger waits.".contains(try Regex("(?i)\\bstranger")))
        #expect(Self.texts.count > 1_000)
        #expect(Self.texts.filter { $0.contains(pattern) } == [])
    }

    @Test("No text of the command has a trust state as the protocol names it")
    func trustStates() throws {
        let pattern = try Regex("\\\\\\([^()\n]*\\.trust\\b")
        #expect("is \\(contact.trust).".contains(pattern) && "\\(a?.trust ?? b)".contains(pattern))
        #expect(!"is \\(TrustText.word(contact.trust)).".contains(pattern))
        let files = Repository.swiftFiles(below: "Sources/EarshotCLI")
        #expect(files.contains { $0.text.contains("TrustText.word(") })
        #expect(files.filter { $0.text.contains(pattern) }.map(\.path) == [])
    }

    @Test("Texts are found in literals, and not in comments or interpolations")
    func extraction() {
        #expect(Self.prose("say('A stranger waits.'); // 'a knock at it'") == ["A stranger waits."])
        #expect(Self.prose("let x = \"to \\(stranger) now\"", quotes: "\"") == ["to  now"])
    }

    /// The documents that people read who use the program.
    private static let documents = [
        "README.md", "Docs/COMMANDS.md", "Docs/INSTALL.md", "Docs/LIBRARY.md", "Docs/TROUBLESHOOTING.md",
        "Docs/TRUST.md", "Docs/TUTORIAL.md",
    ]

    /// The lines of these documents and the texts of command and page.
    private static let texts: [String] = {
        var found = documents.flatMap { path in
            (Repository.read(path) ?? "").split(separator: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
                .flatMap { $0.element.split(separator: "\n").map { plain(String($0)) } }
        }
        for file in Repository.swiftFiles(below: "Sources/EarshotCLI") { found += prose(file.text, quotes: "\"") }
        let folder = Repository.root.appending(path: "Sources/CPage/Page").path
        let scripts = FileManager.default.subpaths(atPath: folder)?.filter { $0.hasSuffix(".js") } ?? []
        for script in scripts where script != "text/emoji.js" {
            found += prose(Repository.read("Sources/CPage/Page/" + script) ?? "")
        }
        return found
    }()

    /// Returns the literals of a source that have more than one word, without interpolations; a line of a literal that
    /// spans lines counts as one.
    private static func prose(_ source: String, quotes: String = "'`") -> [String] {
        source.split(separator: "\n").flatMap { line -> [String] in
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.hasPrefix("//"), !line.hasPrefix("*") else { return [] }
            if quotes == "\"", !line.contains("\""), line.hasSuffix("\\") { return [plain(line)] }
            var found: [String] = []
            var literal: (quote: Character, text: String)?
            var previous: Character = " "
            for character in line {
                if let open = literal {
                    if character == open.quote, previous != "\\" {
                        found.append(open.text)
                        literal = nil
                    } else {
                        literal?.text.append(character)
                    }
                } else if quotes.contains(character) {
                    literal = (character, "")
                } else if character == "/", previous == "/" {
                    break
                }
                previous = character
            }
            return found.map(plain).filter { $0.contains(" ") }
        }
    }

    private static func plain(_ literal: String) -> String {
        literal.replacing(/\\\([^)]*\)|\$\{[^}]*\}|`[^`]*`|--home|HOME/, with: "")
    }
}
