import ChatCrypto
import ChatHistory
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("The limits of the search")
struct SearchLimitTests {
    private let peer: PeerID
    private let row: RowID

    init() throws {
        peer = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        row = try #require(RowID(bytes: [UInt8](repeating: 3, count: 16)))
    }

    private func id(_ number: UInt32) throws -> MessageID {
        let bytes = [UInt8](repeating: 0, count: 12) + withUnsafeBytes(of: number.bigEndian, Array.init)
        return try #require(MessageID(bytes: bytes))
    }

    @Test("Of a message no more is searched than fits, though its letters grow when they are folded")
    func messageByteCount() throws {
        // One letter of 3 bytes becomes 18 bytes.
        let text = "beginning " + String(repeating: "\u{FDFA}", count: 20_000) + " ending"
        let message = Message(
            id: try id(1),
            conversation: .direct(peer),
            sender: peer,
            senderName: "Bob",
            text: text,
            files: [],
            sentTime: Timestamp(clamping: 1),
            receivedTime: Timestamp(clamping: 1),
            isOutgoing: false,
            isRequest: false,
            status: .delivered
        )
        let entry = SearchEntry(message, in: row)
        #expect(entry.text.count == SearchLimits.messageByteCount)
        #expect(entry.has(try SearchTerms("beginning"), SearchFilter()))
        #expect(try !entry.has(SearchTerms("ending"), SearchFilter()))
    }

    @Test("The search of a room takes no more memory than rooms may, and what does not fit is counted")
    func roomByteCount() throws {
        var search = HistorySearch(ChatConfiguration(), isRoom: true)
        let text = String(repeating: "a", count: 60_000)
        let count = SearchLimits.roomByteCount / text.utf8.count + 40
        let entries = try (0..<count).map { number in
            SearchEntry(try id(UInt32(number)), text, in: row, from: peer, time: UInt64(count - number))
        }
        search.begin([.direct(peer)], messageCount: count)
        search.take(entries, count: count, before: nil)
        #expect(search.index.byteCount <= SearchLimits.roomByteCount)
        #expect(search.index.count > count / 2 && search.index.count < count)
        #expect(search.isComplete && search.progress.unsearchedCount == count - search.index.count)
    }
}
