import ChatCrypto
import Earshot
import Testing

@testable import ChatCore

@Suite("Streaming replies")
struct StreamingReplyTests {
    private static func id(_ byte: UInt8) throws -> MessageID {
        try #require(MessageID(bytes: [UInt8](repeating: byte, count: 16)))
    }

    private static func peer(_ byte: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: byte, count: 32)))
    }

    private static func part(_ question: MessageID, _ offset: Int, _ text: String) throws -> StreamingReplyPart {
        let place = (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) }
        return try #require(StreamingReplyPart(decoding: (question.bytes + place + Array(text.utf8))[...]))
    }

    @Test("A part is the last thousand bytes of an answer in whole characters, and is read as it was written")
    func parts() throws {
        let question = try Self.id(1)
        #expect(StreamingReplyPart(of: question, upTo: "") == nil)
        let short = try #require(StreamingReplyPart(of: question, upTo: "Zähl"))
        #expect(short.offset == 0 && short.text == "Zähl")
        let text = String(repeating: "語", count: 400)
        let long = try #require(StreamingReplyPart(of: question, upTo: text))
        #expect(long.offset == 201 && long.text == String(repeating: "語", count: 333))
        for part in [short, long] { #expect(StreamingReplyPart(decoding: part.encoded()[...]) == part) }
    }

    @Test("What is no part is not read")
    func hostile() throws {
        let question = try Self.id(1)
        let head = question.bytes + [0, 0, 0, 0]
        for bytes in [
            [], question.bytes, head, head + [0xFF], head + [UInt8](repeating: 97, count: 1_001),
            question.bytes + [0, 0, 0xFF, 0xFF, 97, 97], question.bytes + [0xFF, 0xFF, 0xFF, 0xFF, 97],
        ] {
            #expect(StreamingReplyPart(decoding: bytes[...]) == nil)
        }
        #expect(StreamingReplyPart(decoding: (question.bytes + [0, 0, 0xFF, 0xFF, 97])[...])?.offset == 65_535)
    }

    @Test("Parts are put together by their places; what was lost comes with the next, what is late changes nothing")
    func assembly() throws {
        var replies = StreamingReplies()
        let (question, peer) = (try Self.id(1), try Self.peer(1))
        #expect(replies.take(try Self.part(question, 0, "one"), from: peer) == "one")
        #expect(replies.take(try Self.part(question, 3, " two"), from: peer) == "one two")
        #expect(replies.take(try Self.part(question, 0, "one"), from: peer) == nil)
        #expect(replies.take(try Self.part(question, 4, "two three"), from: peer) == "one two three")
        #expect(replies.take(try Self.part(question, 20, "five"), from: peer) == "…five")
        #expect(replies.take(try Self.part(question, 13, " four, five, six"), from: peer) == "… four, five, six")
        replies.end(question, by: peer)
        #expect(replies.take(try Self.part(question, 0, String(repeating: "x", count: 100)), from: peer) == nil)
    }

    @Test("Peers and questions are kept apart, and of 17 answers the one that grew longest ago begins anew")
    func apart() throws {
        var replies = StreamingReplies()
        let (first, second) = (try Self.peer(1), try Self.peer(2))
        let question = try Self.id(0)
        #expect(replies.take(try Self.part(question, 0, "one"), from: first) == "one")
        #expect(replies.take(try Self.part(question, 0, "1"), from: second) == "1")
        for byte in 1...15 { _ = replies.take(try Self.part(try Self.id(UInt8(byte)), 0, "x"), from: second) }
        #expect(replies.take(try Self.part(question, 3, " two"), from: first) == "… two")
        #expect(replies.take(try Self.part(try Self.id(15), 1, "y"), from: second) == "xy")
    }
}
