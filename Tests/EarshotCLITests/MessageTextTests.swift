import EarshotRPC
import Testing

@testable import EarshotCLI

@Suite("Messages as commands print them")
struct MessageTextTests {
    private static func lines(_ text: String, _ fields: String = "", width: Int? = 60) throws -> [String] {
        MessageText.lines(try ChatSamples.message(1, text, fields), Console(width: width))
    }

    @Test("No row of a message looks like another message, however long it is and whatever spaces it has")
    func forgedRow() throws {
        let forged = "2026-11-23 10:00:00  Bob  I sign"
        for gap in 0..<80 {
            let lines = try Self.lines("yes" + String(repeating: " ", count: gap) + forged + "\n" + forged)
            #expect(lines.count > 1)
            for line in lines.dropFirst() { #expect(line.hasPrefix("    "), "\(lines)") }
            #expect(lines.allSatisfy { DisplayText.width($0) <= 60 }, "\(lines)")
        }
    }

    @Test("The mark of doubt stands before a text, and blank lines push nothing away")
    func marks() throws {
        let blank = String(repeating: "\n", count: 40)
        let lines = try Self.lines(blank + "a\n\n\nb\n \n", #""request":true"#, width: nil)
        #expect(lines.count == 3 && lines[0].hasSuffix("(request) a") && lines[2].hasSuffix("  b"), "\(lines)")
        #expect(try Self.lines(blank, #""imported":true"#, width: nil).first?.hasSuffix("(imported) ") == true)
    }

    @Test("An own line about a group has no delivery status, as own messages and timers have")
    func ownLines() throws {
        let own = #""outgoing":true,"status":"delivered""#
        func line(_ fields: String) throws -> String? { try Self.lines("", "\(own)\(fields)", width: nil).last }
        #expect(try line(#","system":{"event":"founded"}"#)?.hasSuffix("(created the group)") == true)
        #expect(try line(#","system":{"event":"timer","expiresAfter":0}"#)?.hasSuffix("off)  (delivered)") == true)
        #expect(try line("")?.hasSuffix("(delivered)") == true)
    }

    @Test("JSON has what commands a terminal escaped, and says the same")
    func json() throws {
        let text = "\u{7F}a\u{9B}b\u{202E}c\u{2028}d\u{E0041}é🦊\u{200D}"
        let json = try RPCCoding.encode([text])
        let escaped = #"\u007fa\u009bb\u202ec\u2028d\udb40\udc41é🦊"# + "\u{200D}"
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(escaped)\"]")
        #expect(try RPCCoding.decode([String].self, from: json) == [text])
    }
}
