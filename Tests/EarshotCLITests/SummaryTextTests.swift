import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Messages in lists")
struct SummaryTextTests {
    private static let poll =
        #""kind":"poll","poll":{"question":"Tea?","options":[],"multiple":false,"mayChange":true,"closed":false}"#

    private static func file(_ kind: String, _ name: String) -> String {
        #""kind":"\#(kind)","files":[{"name":"\#(name)","type":"image/png","size":1,"complete":true}]"#
    }

    private static func system(_ event: String, _ rest: String = "") -> String {
        #""kind":"system","system":{"event":"\#(event)"\#(rest)}"#
    }

    @Test(
        "Each kind of message has words",
        arguments: [
            ("Hello", "b2", "", "Hello"), ("", "b2", poll, "Poll: Tea?"),
            ("", "b2", file("voice", "a.opus"), "Voice note"), ("", "b2", file("image", "a.png"), "Picture"),
            ("look", "b2", file("image", "a.png"), "Picture: look"),
            ("", "b2", file("file", "a.txt"), "File: a.txt"), ("read it", "b2", file("file", "a.txt"), "read it"),
            ("", "b2", #""deleted":true"#, "Deleted message"),
            ("", "b2", system("added", #","peer":"a1","name":"Alice""#), "Bob added you"),
            ("", "a1", system("added", #","peer":"c3","name":"Carol""#), "You added Carol"),
            ("", "b2", system("removed", #","peer":"a1","name":"Alice""#), "Bob removed you"),
            ("", "b2", system("founded"), "Bob created the group"), ("", "b2", system("left"), "Bob left"),
            ("", "b2", system("renamed", #","title":"Oaks""#), "Bob renamed the group to Oaks"),
            ("", "b2", system("handedOver", #","peer":"a1""#), "Bob handed the group over to you"),
            ("", "b2", system("timer", #","expiresAfter":0"#), "Bob turned disappearing messages off"),
            (
                "", "a1", system("timer", #","expiresAfter":300"#),
                "You set messages to disappear 5 minutes after they are read"
            ),
        ]
    )
    func words(text: String, from: String, fields: String, line: String) throws {
        let message = try ChatSamples.message(1, text, from: from, fields)
        #expect(SummaryText.line(message, in: "group", own: ["a1"]) == line)
    }

    @Test("A list of conversations has these words, cut to a width, and nothing that controls a terminal")
    func list() throws {
        func conversation(_ title: String, _ last: String) throws -> ConversationReply {
            let usual = String(decoding: try RPCCoding.encode(try ChatSamples.message(1, last)), as: UTF8.self)
            let json =
                #"{"id":"b2","kind":"direct","title":"\#(title)","members":[],"unread":2,"request":false,"last":\#(usual)}"#
            return try RPCCoding.decode(ConversationReply.self, from: Array(json.utf8))
        }
        let long = String(repeating: "x", count: 50)
        let lines = HistoryCommand.List.lines(
            [try conversation("Bob", "a\u{1B}[2J\nb"), try conversation("Carol", long)],
            own: ["a1"]
        )
        #expect(lines.count == 3 && lines[1].hasSuffix("  a\\u{1b}[2J…"), "\(lines)")
        #expect(lines[2].hasSuffix("  \(long.prefix(40))…"), "\(lines)")
    }
}
