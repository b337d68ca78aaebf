import Foundation
import Testing

/// The snippets of documents are the ones that the gate compiles.
///
/// A compiled snippet is the whole body of a function in a folder `Documentation` of the tests, or a part of an example,
/// which the gate also runs.
@Suite("Snippets")
struct SnippetTests {
    static let documents =
        [Repository.read("README.md").map { Repository.File(path: "README.md", text: $0) }].compactMap(\.self)
        + Repository.articles
    static let compiled = Repository.swiftFiles(below: "Tests", "Examples").filter {
        $0.path.contains("/Documentation/") || $0.path.hasPrefix("Examples/")
    }

    @Test("Every snippet of a document stands line by line in a compiled file", arguments: documents)
    func snippets(document: Repository.File) {
        for snippet in Self.snippets(of: document.text) {
            let isCompiled = Self.compiled.contains { Self.contains(snippet, in: $0) }
            #expect(isCompiled, "No compiled file contains this snippet:\n\(snippet.joined(separator: "\n"))")
        }
    }

    @Test("README and articles have snippets, and every compiled one is shown")
    func completeness() {
        #expect(Self.documents.count { !Self.snippets(of: $0.text).isEmpty } >= 5)
        let shown = Self.documents.flatMap { Self.snippets(of: $0.text) }
        for file in Self.compiled where file.path.contains("/Documentation/") {
            let functions = file.lines.count { $0.hasPrefix("func ") }
            #expect(shown.count { Self.contains($0, in: file) } == functions, "\(file.path)")
        }
    }

    @Test("A changed, a missing and an additional line are noticed, and so is a missing import")
    func differences() {
        let text = "import A\n\nfunc f() {\n    let a = 1\n\n    use(a)\n    use(a)\n}\n"
        let test = Repository.File(path: "Tests/T/Documentation/F.swift", text: text)
        let example = Repository.File(path: "Examples/E/main.swift", text: text)
        #expect(Self.contains(["import A", "let a = 1", "use(a)", "use(a)"], in: test))
        #expect(!Self.contains(["let a = 1", "use(b)", "use(a)"], in: test))
        #expect(!Self.contains(["let a = 1", "use(a)"], in: test))
        #expect(!Self.contains(["use(a)", "use(a)"], in: test))
        #expect(!Self.contains(["let a = 1", "use(a)", "use(a)", "use(a)"], in: test))
        #expect(!Self.contains(["import B", "let a = 1", "use(a)", "use(a)"], in: test))
        #expect(Self.contains(["let a = 1", "use(a)"], in: example))
        #expect(!Self.contains(["use(a)", "let a = 1"], in: example))
        #expect(Self.snippets(of: "x\n```swift\nlet a = 1\n\n  b()\n```\ny\n```\nz\n```\n") == [["let a = 1", "b()"]])
    }

    /// Returns the lines of each Swift block of a document, without indentation and empty lines.
    private static func snippets(of text: String) -> [[String]] {
        var found: [[String]] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                isInside = true
                found.append([])
            } else if line.hasPrefix("```") {
                isInside = false
            } else if isInside {
                found[found.count - 1] += lines(String(line))
            }
        }
        return found
    }

    /// Whether a file has the snippet's imports, and its other lines one after the other; in a test, they are the whole
    /// body of a function.
    private static func contains(_ snippet: [String], in file: Repository.File) -> Bool {
        let lines = lines(file.text)
        let (imports, body) = (snippet.filter { $0.hasPrefix("import ") }, snippet.filter { !$0.hasPrefix("import ") })
        guard imports.allSatisfy(lines.contains) else { return false }
        return lines.ranges(of: body).contains { range in
            guard !file.path.hasPrefix("Examples/") else { return true }
            guard range.lowerBound > 0, range.upperBound < lines.count else { return false }
            return lines[range.lowerBound - 1].hasPrefix("func ") && lines[range.upperBound] == "}"
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
