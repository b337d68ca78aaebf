import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("No number of a node's answer stops the command")
struct ExtremeReplyTests {
    private static let numbers = [
        "0", "1", "-1", "0.5", "2147483647", "2147483648", "4294967295", "9007199254740992", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "1e308", "-1e308",
    ]
    private static let times = ["0001-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Decodes the replies that result from a number or a time in place of `§N` and `§T`.
    private static func replies<Reply: Decodable>(_ type: Reply.Type, _ json: String) -> [Reply] {
        let fills = numbers.map { ($0, times[2]) } + times.map { ("1", $0) }
        return fills.compactMap { number, time in
            let filled = json.replacing("§N", with: number).replacing("§T", with: "\"\(time)\"")
            return try? RPCCoding.decode(type, from: Array(filled.utf8))
        }
    }

    private static func message(_ rest: String) -> String {
        #"{"id":"00","conversation":"b2","from":"b2","fromName":"bob","kind":"text","text":"tea","reactions":[],"#
            + #""mentions":[],"edited":false,"deleted":false,"sentAt":§T,"receivedAt":§T,"status":"read","outgoing":false,"#
            + #""request":false,\#(rest)}"#
    }

    @Test(
        "Messages, finds and their files are shown with any number in any place",
        arguments: [
            #""expiresAt":§T"#, #""system":{"event":"timer","expiresAfter":§N}"#,
            #""vouchedBy":[{"id":"c3","name":"carol"}]"#,
            #""files":[{"name":"a","type":"image/png","size":§N,"complete":true,"width":§N,"height":§N}]"#,
            #""files":[{"name":"a","type":"audio/ogg","size":1,"complete":false,"duration":§N,"peaks":"AP8="}]"#,
        ]
    )
    func messages(fields: String) throws {
        let json = Self.message(fields)
        let messages = Self.replies(MessageReply.self, json)
        #expect(messages.count >= 3)
        for message in messages {
            #expect(!MessageText.lines(message, Console(width: 40)).isEmpty)
            let bubble = MessageBubble(message: message, number: .max, own: "a1", kind: "group")
            #expect(!bubble.lines.isEmpty && !bubble.heading(now: Self.now, zone: .gmt).text.isEmpty)
        }
        for hit in Self.replies(SearchHitReply.self, json.dropLast() + #","places":[{"start":§N,"count":§N}]}"#) {
            #expect(!SearchHitText.lines(hit, in: nil, Console()).isEmpty)
        }
    }

    @Test("Contacts, maps, rooms and progress are shown with any number in any place")
    func tables() throws {
        let contact =
            #"{"id":"b2","name":"bob","trust":"tofu","fingerprint":"","reachable":false,"hops":§N,"rtt":§N,"lastSeen":§T}"#
        let contacts =
            Self.replies(ContactReply.self, contact)
            + Self.replies(ContactReply.self, contact.replacing("\"hops\":§N,", with: ""))
        #expect(contacts.count > Self.times.count)
        #expect(ContactTable.lines(contacts, now: Self.now).count == contacts.count + 1)
        let map =
            #"{"node":"00","links":[{"node":"01","address":"a","rtt":§N,"uptime":§N}],"neighbours":[],"contacts":[]}"#
        for map in Self.replies(MapReply.self, map) { #expect(MapText.lines(map).count > 3) }
        let room =
            #"{"id":"00","title":"r","standing":"member","members":[],"name":"a","endsAt":§T,"ephemeral":false,"maximumMembers":§N}"#
        #expect(RoomTable.lines(Self.replies(RoomReply.self, room)).count > 3)
        let extremes = [0, 1, -1, 1 << 31, 1 << 53, .max / 10, .max, .min]
        for (count, total) in extremes.flatMap({ count in extremes.map { (count, $0) } }) {
            let progress = FileProgress(message: "00", index: count, byteCount: count, total: total)
            #expect(progress.line("a").contains("%"))
        }
    }
}
