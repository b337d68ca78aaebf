import Earshot
import Foundation
import Testing

@Suite("Ids as text")
struct IDCodingTests {
    private static let peer = String(repeating: "0a1b", count: 16)
    private static let short = String(repeating: "0a1b", count: 8)

    /// Decodes a value from a JSON string.
    private static func decode<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(text))
    }

    private static func check<Value>(_ value: Value, _ text: String) throws
    where Value: Codable & Equatable & LosslessStringConvertible {
        #expect(value.description == text && Value(text) == value)
        #expect(try JSONEncoder().encode(value) == JSONEncoder().encode(text))
        #expect(try decode(text) == value)
    }

    @Test("The text of an id makes the same id, and so does its coded form")
    func roundTrips() throws {
        let peer = try #require(PeerID(hex: Self.peer))
        let group = try #require(GroupID(hex: Self.short))
        try Self.check(peer, Self.peer)
        try Self.check(group, Self.short)
        try Self.check(try #require(MessageID(hex: Self.short)), Self.short)
        try Self.check(ConversationID.direct(peer), "direct:\(Self.peer)")
        try Self.check(ConversationID.group(group), "group:\(Self.short)")
        try Self.check(ConversationID.room(group), "room:\(Self.short)")
        #expect(PeerID(Self.peer.uppercased()) == peer)
    }

    @Test(
        "A text that is no id makes none, and an error names the kind",
        arguments: [
            "", "0a", "0a1", "x", String(repeating: "g", count: 32), String(repeating: "0", count: 33),
            " \(Self.short)", "\(Self.short)\n", "0x\(Self.short.dropLast(2))", "direct:", "group", ":",
            "direct:\(Self.short)", "other:\(Self.short)",
            "group:\(Self.peer)", "room:\(Self.peer)", "Group:\(Self.short)", "group:\(Self.short):",
            "group::\(Self.short)", "room: \(Self.short)", String(repeating: "0", count: 300),
        ]
    )
    func refusals(text: String) throws {
        #expect(PeerID(text) == nil && GroupID(text) == nil && MessageID(text) == nil && ConversationID(text) == nil)
        #expect(throws: DecodingError.self) { try Self.decode(text) as PeerID }
        #expect(throws: DecodingError.self) { try Self.decode(text) as GroupID }
        #expect(throws: DecodingError.self) { try Self.decode(text) as MessageID }
        let error = #expect(throws: DecodingError.self) { try Self.decode(text) as ConversationID }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("Another error: \(String(describing: error)).")
            return
        }
        #expect(context.debugDescription.hasSuffix("is no conversation ID.") && context.debugDescription.count < 200)
    }

    @Test("The digits alone are no conversation: a group and a room could have the same")
    func plainDigits() throws {
        let group = try #require(GroupID(hex: Self.short))
        #expect(ConversationID(Self.peer) == nil && ConversationID(Self.short) == nil)
        #expect(ConversationID.group(group).description != ConversationID.room(group).description)
        #expect(ConversationID.group(group).hex == Self.short && ConversationID.room(group).hex == Self.short)
    }

    @Test("Numbers, lists and nothing are no ids", arguments: ["7", "[]", "{}", "null", "true"])
    func otherTypes(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PeerID.self, from: Data(json.utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ConversationID.self, from: Data(json.utf8)) }
    }
}
