import Testing

@testable import EarshotAssistant

@Suite("Answer stream")
struct AnswerStreamTests {
    private static func stream(status: Int = 200, _ type: String? = "text/event-stream") -> AnswerStream {
        var stream = AnswerStream()
        stream.begin(status: status, contentType: type)
        return stream
    }

    /// Parses a whole body in one piece and returns its events.
    private static func events(_ body: String, status: Int = 200, _ type: String = "text/event-stream") -> [ModelEvent]
    {
        var stream = stream(status: status, type)
        return stream.take(Array(body.utf8)) + stream.end()
    }

    @Test("A stream ends with its end mark, or with the reason that the model gave for it")
    func ends() {
        let piece = #"data: {"choices":[{"delta":{"content":"a"}}]}"# + "\n\n"
        let stop = #"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"# + "\n\n"
        let length = #"data: {"choices":[{"finish_reason":"length"}],"usage":{"completion_tokens":4}}"# + "\n\n"
        let done = "data: [DONE]\n\n"
        let whole = ModelEvent.ended(isCutOff: false, tokenCount: nil)
        #expect(Self.events(piece + stop + done) == [.text("a"), whole])
        #expect(Self.events(piece + done + piece) == [.text("a"), whole])
        #expect(Self.events(piece + stop) == [.text("a"), whole])
        #expect(Self.events(length + done) == [.ended(isCutOff: true, tokenCount: 4)])
        #expect(Self.events(piece) == [.text("a"), .failed(ModelFault(.connectionLost))])
        #expect(Self.events("") == [.failed(ModelFault(.connectionLost))])
    }

    @Test(
        "What is no answer is a fault and nothing else",
        arguments: [
            "", "{", "[]", "null", "7", #""x""#, "{}", #"{"choices":7}"#, #"{"choices":[7]}"#, #"{"choices":null}"#,
            #"{"choices":[{"delta":{"content":7}}]}"#, #"{"choices":[{"delta":{"content":["a"]}}]}"#,
            #"{"choices":[{"delta":"a"}]}"#, #"{"usage":{"completion_tokens":1e400}}"#,
            #"{"choices":[{"delta":{"content":"\ud800"}}]}"#,
            #"{"choices":"# + String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
            "\u{0}", #"{"usage":"x"}"#,
        ]
    )
    func hostile(data: String) {
        #expect(Self.events("data: \(data)\n\n") == [.failed(ModelFault(.malformed))])
    }

    @Test("Odd answers that still say something are taken")
    func odd() {
        let end = ModelEvent.ended(isCutOff: false, tokenCount: nil)
        for (data, text) in [
            (#"{"choices":[],"usage":{"completion_tokens":-1},"x":[{}]}"#, nil),
            (#"{"choices":[{"delta":{"content":null,"role":"assistant"}}]}"#, nil),
            (#"{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}"#, "a"),
            (#"{"choices":[{"delta":null,"message":{"content":"a"}}]}"#, "a"),
        ] as [(String, String?)] {
            #expect(
                Self.events("data: \(data)\n\ndata: [DONE]\n\n") == [text.map(ModelEvent.text), end].compactMap(\.self)
            )
        }
    }

    @Test("What a server says of its failure is for who runs it, cut and without signs that do something")
    func refusals() {
        let json = #"{"error":{"message":"no\u001b[2J room"}}"#
        #expect(Self.events(json, status: 500) == [.failed(ModelFault(.refused(status: 500), "no[2J room"))])
        #expect(Self.events("<b>no</b>", status: 404) == [.failed(ModelFault(.refused(status: 404), "<b>no</b>"))])
        #expect(Self.events("data: \(json)\n\n") == [.failed(ModelFault(.serverFailed, "no[2J room"))])
        #expect(Self.events(#"data: {"error":"bad"}"# + "\n\n") == [.failed(ModelFault(.serverFailed, "bad"))])
        #expect(ModelFault(.serverFailed, String(repeating: "x", count: 9_000)).detail.count == 200)
        #expect(ModelFault(.serverFailed, "secret").words.contains("secret") == false)
    }

    @Test("A server that does not stream is heard all the same")
    func whole() {
        let body =
            #"{"choices":[{"message":{"content":"all"},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}"#
        #expect(
            Self.events(body, "application/json; charset=utf-8") == [
                .text("all"), .ended(isCutOff: false, tokenCount: 2),
            ]
        )
        #expect(Self.events("{}", "application/json") == [.failed(ModelFault(.malformed))])
    }

    @Test("A stream that does not end, or a body without one, is left once it is too long")
    func limits() {
        var stream = Self.stream()
        let comment = Array(": \(String(repeating: "x", count: 1 << 20 - 4))\n".utf8)
        var events: [ModelEvent] = []
        for _ in 0..<17 where events.isEmpty { events = stream.take(comment) }
        #expect(events == [.failed(ModelFault(.endless))] && stream.isOver)
        #expect(stream.take(comment).isEmpty && stream.end().isEmpty)
        var whole = Self.stream(status: 200, "application/json")
        #expect(whole.take([UInt8](repeating: 32, count: 1 << 20)).isEmpty)
        #expect(whole.take([32]) == [.failed(ModelFault(.eventTooLarge))])
        var refusal = Self.stream(status: 500, "text/html")
        #expect(refusal.take([UInt8](repeating: 97, count: 1 << 20)).isEmpty)
        #expect(refusal.take([97]).count == 1)
    }
}
