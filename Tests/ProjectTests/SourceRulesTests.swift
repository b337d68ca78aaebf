import Foundation
import Testing

/// The house rules that a compiler does not check; CONTRIBUTING has those that these tests cannot check either.
@Suite("Source rules")
struct SourceRulesTests {
    static let everything = Repository.swiftFiles(below: "Sources", "Tests", "Examples", "Benchmarks/Sources")
    static let sources = Repository.swiftFiles(below: "Sources")

    @Test("No file is longer than 400 lines", arguments: everything)
    func fileLength(file: Repository.File) {
        #expect(file.text.count(where: \.isNewline) <= 400)
    }

    @Test("No function is longer than 50 lines", arguments: everything)
    func functionLength(file: Repository.File) {
        #expect(FunctionLength.tooLong(in: file, limit: 50) == [])
    }

    @Test("The function ruler finds a long function")
    func rulerWorks() {
        let body = [String](repeating: "        step()", count: 60).joined(separator: "\n")
        let file = Repository.File(path: "x.swift", text: "struct X {\n    func long() {\n\(body)\n    }\n}\n")
        #expect(FunctionLength.tooLong(in: file, limit: 50) == ["x.swift:2 func long() {: 62 lines"])
    }

    @Test(
        "Sources hold nothing that gives up a promise of the compiler",
        arguments: [
            "@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!", "fatalError(", "@preconcurrency", "TODO",
            "FIXME",
            "@testable", " print(",
        ]
    )
    func forbidden(word: String) {
        let allowed = word == " print(" ? ["Sources/EarshotCLI/"] : []
        let hits = Self.sources.filter { file in !allowed.contains { file.path.hasPrefix($0) } }
            .filter { $0.text.contains(word) }.map(\.path)
        #expect(hits == [])
    }

    /// The mesh receives its time from outside, and that time only moves forward, so that setting a clock cannot harm
    /// it.
    @Test("The mesh's machine knows no wall clock, nor any other")
    func noClocks() throws {
        let pattern = try Regex("\\b(Date|Clock|ContinuousClock|SuspendingClock|Foundation|Glibc|clock_gettime)\\b")
        let files = Repository.swiftFiles(below: "Sources/MeshCore")
        #expect(files.count > 100)
        #expect(files.filter { $0.text.contains(pattern) }.map(\.path) == [])
    }

    @Test("Types are named for what they are", arguments: ["Manager", "Service", "Helper", "Util", "Handler", "Impl"])
    func names(word: String) throws {
        let pattern = try Regex("(struct|class|actor|enum|protocol) \\w*\(word)s?\\b")
        let hits = Self.sources.filter { $0.text.contains(pattern) }.map(\.path)
            // SwiftNIO uses the term Handler for the parts of a channel's pipeline.
            .filter {
                word != "Handler" || !$0.hasPrefix("Sources/MeshTransport/") && !$0.hasPrefix("Sources/EarshotRPC/")
            }
        #expect(hits == [])
    }

    @Test("Tests never sleep")
    func noSleeps() {
        let sleeps = ["Task", "Thread"].map { $0 + ".sleep" } + ["usle", "nanosle"].map { $0 + "ep(" }
        let hits = Repository.swiftFiles(below: "Tests").filter { file in
            sleeps.contains { file.text.contains($0) }
        }
        #expect(hits.map(\.path) == [])
    }

    @Test(
        "A third-party module is imported by the one module it belongs to",
        arguments: [
            ("CGIF", ["EarshotMedia"]), ("COpus", ["EarshotMedia"]), ("CPNG", ["EarshotMedia"]),
            ("CQREncode", ["EarshotMedia"]), ("CSixel", ["EarshotMedia"]), ("CTurboJPEG", ["EarshotMedia"]),
            ("CWebP", ["EarshotMedia"]), ("CCurl", ["EarshotAssistant"]),
            ("NIOSSL", ["MeshGateway"]), ("NIOTLS", ["MeshGateway"]), ("NIOSOCKS", ["MeshGateway"]),
            ("CSodium", ["ChatCrypto"]), ("CEdit", ["EarshotCLI"]),
            ("Crypto", ["ChatCrypto"]), ("GRDB", ["ChatHistory"]), ("GRDBSQLite", ["ChatHistory"]),
            ("NIOPosix", ["MeshTransport", "MeshDoctor", "MeshGateway", "EarshotRPC", "EarshotWeb"]),
            ("NIOHTTP1", ["EarshotRPC", "EarshotWeb"]),
            ("NIOWebSocket", ["EarshotWeb"]), ("CPage", ["EarshotWeb"]),
            ("CoreMetrics", ["MeshTransport"]),
            ("ArgumentParser", ["EarshotCLI"]),
            ("SwiftProtobuf", ["ChatCore", "Earshot"]), ("ChatHistory", ["Earshot", "ChatHistoryTesting"]),
            ("ChatCrypto", ["ChatCore", "Earshot", "EarshotGateway", "EarshotRPC", "EarshotWeb", "EarshotCLI"]),
        ] as [(String, [String])]
    )
    func imports(module: String, owners: [String]) throws {
        let pattern = try Regex("(?m)^(public |package |internal |private )?import \(module)$")
        let hits = Self.sources.filter { $0.text.contains(pattern) }.map { $0.path.split(separator: "/")[1] }
        #expect(Set(hits.map(String.init)).subtracting(owners) == [])
    }
}

/// A measure of functions by their indentation, which the formatter guarantees.
enum FunctionLength {
    static func tooLong(in file: Repository.File, limit: Int) -> [String] {
        let lines = file.lines
        var found: [String] = []
        for (index, line) in lines.enumerated() where opensFunction(line) {
            let indent = line.prefix { $0 == " " }
            guard let end = lines[index...].firstIndex(where: { $0 == indent + "}" }) else { continue }
            let count = end - index + 1
            if count > limit { found.append("\(file.path):\(index + 1) \(line.trimmed): \(count) lines") }
        }
        return found
    }

    private static func opensFunction(_ line: Substring) -> Bool {
        let words = line.split(separator: " ")
        return words.contains { $0 == "func" || $0.hasPrefix("init(") || $0.hasPrefix("init?(") || $0 == "subscript(" }
            && !line.trimmed.hasPrefix("//") && !line.trimmed.hasSuffix("}")
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
