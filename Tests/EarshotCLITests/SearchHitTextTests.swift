import EarshotRPC
import Testing

@testable import EarshotCLI

@Suite("What a search prints")
struct SearchHitTextTests {
    @Test(
        "A hit carries the marks of its message",
        arguments: [
            (#""request":true"#, "(request)"),
            (#""imported":true"#, "(imported)"),
            (#""vouchedBy":[{"id":"c3","name":"Carol"}]"#, "(attested by Carol)"),
            (#""edited":true"#, "(edited)"),
        ]
    )
    func marks(field: String, mark: String) throws {
        let message = try ChatSamples.message(1, "the old oak", field)
        let fields = String(decoding: try RPCCoding.encode(message).dropLast(), as: UTF8.self)
        let json = fields + #","places":[{"start":8,"count":3}]}"#
        let hit = try RPCCoding.decode(SearchHitReply.self, from: Array(json.utf8))
        let console = Console()
        let lines = SearchHitText.lines(hit, in: "Bob", console)
        #expect(lines.count == 1)
        let narrow = SearchHitText.lines(hit, in: "Bob", Console(width: 40))
        #expect(narrow.count > 1 && narrow.dropFirst().allSatisfy { $0.hasPrefix("    ") }, "\(narrow)")
        #expect(lines.first?.hasSuffix("  " + mark + " the old oak") == true, "\(lines)")
    }
}
