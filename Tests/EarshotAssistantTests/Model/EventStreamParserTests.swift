import Testing

@testable import EarshotAssistant

@Suite("Event stream parser")
struct EventStreamParserTests {
    private static func events(_ text: String, inPiecesOf count: Int) -> [String] {
        var parser = EventStreamParser()
        var rest = Array(text.utf8)[...]
        var events: [[UInt8]] = []
        while !rest.isEmpty {
            events += parser.take(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        if let last = parser.end() { events.append(last) }
        return events.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Events are read as the standard has them, in pieces of any size",
        arguments: [
            ("data: a\n\ndata: b\n\n", ["a", "b"]),
            ("data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
            ("data: a\r\rdata: b\r\r", ["a", "b"]),
            ("\u{FEFF}data: a\n\n", ["a"]),
            (": a comment\ndata: a\n: another\n\n\n\n", ["a"]),
            ("data: a\ndata: b\ndata:\n\n", ["a\nb\n"]),
            ("data\n\n", [""]),
            ("data:a\n\ndata:  b\n\n", ["a", " b"]),
            ("event: x\nid: 7\nretry: 1\nunknown\n\ndata: a\n\n", ["a"]),
            ("error: {}\n\n", ["{}"]),
            ("data: last", ["last"]),
            ("data: last\n", ["last"]),
            ("datax: a\n\n : b\n\n", []),
            ("", []),
        ]
    )
    func reading(stream: String, events: [String]) {
        for count in [1, 2, 3, 5, .max] { #expect(Self.events(stream, inPiecesOf: count) == events) }
    }

    @Test("An event may have a mebibyte and not a byte more, in one line or in many")
    func limit() {
        let largest = AssistantLimits.eventByteCount
        var parser = EventStreamParser()
        #expect(parser.take(Array("data:".utf8) + [UInt8](repeating: 120, count: largest - 5)).isEmpty)
        #expect(!parser.isBroken && parser.take([120]).isEmpty && parser.isBroken)
        #expect(parser.take(Array("\n\n".utf8)).isEmpty)
        var many = EventStreamParser()
        let line = Array("data: ".utf8) + [UInt8](repeating: 120, count: 1_000) + [10]
        for _ in 0...(largest / 1_000) { #expect(many.take(line).isEmpty) }
        #expect(many.isBroken)
    }
}
