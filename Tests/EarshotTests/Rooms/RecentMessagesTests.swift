import ChatCrypto
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("The newest messages of rooms")
struct RecentMessagesTests {
    private static func message(_ number: Int) throws -> MessageID {
        try #require(MessageID(bytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }))
    }

    @Test("Beyond the limit the oldest message gives way, and one that is noted again takes no second place")
    func limit() throws {
        var recent = RecentMessages()
        let count = RoomRules.recentCount
        for number in 0...count { recent.note(try Self.message(number), in: number % 3) }
        recent.note(try Self.message(count), in: 7)
        #expect(try recent[Self.message(0)] == nil)
        #expect(try recent[Self.message(1)] == 1)
        #expect(try recent[Self.message(count)] == 7)
    }

    @Test("Of a room that has ended nothing is known, and the oldest of the others still gives way first")
    func ended() throws {
        var recent = RecentMessages()
        let count = RoomRules.recentCount
        for number in 0..<count + 2 { recent.note(try Self.message(number), in: number % 2) }
        recent.forget(0)
        #expect(try recent[Self.message(count)] == nil)
        #expect(try recent[Self.message(3)] == 1)
        for number in 0...count / 2 { recent.note(try Self.message(count + 2 + number), in: 2) }
        #expect(try recent[Self.message(3)] == nil)
        #expect(try recent[Self.message(5)] == 1)
    }
}
