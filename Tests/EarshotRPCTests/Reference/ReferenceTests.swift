import Earshot
import Foundation
import Testing

@testable import EarshotRPC

@Suite("The reference", .timeLimit(.minutes(30)))
struct ReferenceTests {
    private static let place = URL(filePath: #filePath)
        .appending(path: "../../../../Docs/JSON-RPC.md").standardizedFileURL

    @Test("Docs/JSON-RPC.md is what the table and a replay of its examples give; EARSHOT_WRITE_DOCS=1 writes it")
    func document() async throws {
        let transcript = try await Transcript.replayed()
        for type in transcript.fields.values.joined().map(\.type) where type.contains(/\b[A-Z]/) {
            let name = type.replacing("list of ", with: "").replacing("?", with: "")
            #expect(name == "Base64" || transcript.fields[name] != nil, "\(name) is not described")
        }
        let text = Self.text(transcript)
        if ProcessInfo.processInfo.environment["EARSHOT_WRITE_DOCS"] == "1" {
            try Data(text.utf8).write(to: Self.place)
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let kept = String(decoding: (try? Data(contentsOf: Self.place)) ?? Data(), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let difference = zip(lines, kept).first { $0 != $1 }
        #expect(difference == nil, "Run this test with EARSHOT_WRITE_DOCS=1 and look at what has changed.")
        #expect(lines.count == kept.count)
    }

    @Test("The parameters of each method are its properties")
    func parameters() {
        for method in RPCMethods.all {
            let fields = Mirror(reflecting: method.example).children.compactMap(\.label)
            #expect(fields == method.parameterNames, "\(method.name)")
        }
    }

    private static let introduction = """
        # JSON-RPC

        Generated from the table of methods by `EARSHOT_WRITE_DOCS=1 swift test --filter ReferenceTests`; a test replays the
        examples. A node speaks JSON-RPC 2.0 on the socket of its data directory and, as `earshot node --stdio`, on its
        standard streams: one request, batch, answer or event per line, at most 1,048,576 bytes long. Parameters have names.
        Times are RFC 3339 in UTC with milliseconds. A type with `?` may be absent.

        Methods marked *locked too* work on a locked node; those marked *waits* do not hold up later requests of the client.

        """

    private static func text(_ transcript: Transcript) -> String {
        var lines = [introduction]
        for (title, methods) in RPCMethods.chapters {
            lines += ["## \(title)", ""]
            for method in methods { lines += chapter(method, transcript) }
        }
        lines += ["## Types", ""]
        lines += ["A `SearchHit` has the fields of its message beside its own.", ""]
        for (name, fields) in transcript.fields.sorted(by: { $0.key < $1.key }) where !name.hasSuffix("Call.Reply") {
            lines.append("- **\(name)**: \(Self.list(fields)).")
        }
        lines += ["", "## Errors", "", "| code | `data.code` |", "|---|---|"]
        lines += RPCError.Code.allCases.map { "| \($0.rawValue) | `\($0.name)` |" }
        lines += [
            "", "An error of code -32602 or -32010 may have a narrower name in `data.code`.", "", "## Events", "",
        ]
        lines += ["`subscribe` asks for these: \(RPCEvent.types.map { "`\($0)`" }.joined(separator: ", ")).", ""]
        return lines.joined(separator: "\n")
    }

    private static func list(_ fields: [(name: String, type: String)]) -> String {
        fields.map { "`\($0.name)` \($0.type)" }.joined(separator: ", ")
    }

    private static func chapter<Method: RPCMethod>(_ method: Method.Type, _ transcript: Transcript) -> [String] {
        let marks = (method.needsKeys ? "" : " *Locked too.*") + (method.waitsForPeer ? " *Waits.*" : "")
        var lines = ["### `\(method.name)`", "", method.summary + marks, ""]
        let types = Dictionary(
            Mirror(reflecting: method.example).children.map { ($0.label ?? "", TypeName.text(type(of: $0.value))) },
            uniquingKeysWith: { $1 }
        )
        lines += method.parameters.map { "- `\($0)` (\(types[$0] ?? "")): \($1)" }
        if !method.parameters.isEmpty { lines.append("") }
        var result = TypeName.text(Method.Reply.self)
        if TypeName.isInline(Method.Reply.self) {
            result = list(transcript.fields[String(reflecting: Method.Reply.self)] ?? [])
            #expect(!result.isEmpty, "\(method.name)")
        }
        let exchange = transcript.exchanges[method.name]
        lines += ["Result: \(result).", "", "```json", exchange?.request ?? "", exchange?.response ?? "", "```", ""]
        return lines
    }
}
