import ChatCrypto
import Foundation
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Notes about what was said before")
struct HistoryMessageTests {
    private static let group = GroupID(bytes: [UInt8](repeating: 5, count: 16))

    private static func page(_ count: Int) -> HistoryMessage {
        let records = (0..<count).map { number in
            HistoryRecord(
                author: Numbered.peer(number),
                content: [1, UInt8(number & 0xFF)],
                change: number.isMultiple(of: 2) ? nil : Numbered.message(number)
            )
        }
        return .page(HistoryPage(from: .newest, next: HistoryCursor(place: 9, part: 2), records: records))
    }

    @Test("A note comes out as it went in, beside the other notes of groups")
    func roundTrip() throws {
        let group = try #require(Self.group)
        let unasked = HistoryMessage.page(HistoryPage(from: nil, next: nil, records: []))
        for note in [.request(.newest), .request(HistoryCursor(place: 0, part: 7)), Self.page(256), unasked] {
            let read = try #require(HistoryMessage.read(note.encoded(for: group)))
            #expect(read.group == group && read.control == note)
            guard case .history(group, note) = ControlMessage(decoding: note.encoded(for: group)) else {
                Issue.record("no note of a group")
                continue
            }
        }
        for note in [ControlMessage.leave(group), .request(group, OperationRequest(from: 3)), .wantsOwnerKey(group)] {
            #expect(HistoryMessage.read(note.encoded) == nil)
        }
    }

    @Test("The first request of a newcomer is the known one")
    func firstRequest() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Vectors")
        let file = try String(contentsOf: folder.appending(path: "history_request.txt"), encoding: .utf8)
        func value(_ name: String) throws -> String {
            let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("\(name): ") })
            return String(line.dropFirst(name.count + 2))
        }
        let name = try #require([UInt8](hex: value("group")))
        let group = try #require(GroupID(bytes: name))
        let note = try #require([UInt8](hex: value("note")))
        #expect(HistoryMessage.request(.newest).encoded(for: group) == note)
        let read = try #require(HistoryMessage.read(note))
        #expect(read.group == group && read.control == .request(.newest))
    }

    @Test("Pages with too many records, without authors, contents or whole ids, are refused")
    func limits() throws {
        let group = try #require(Self.group)
        #expect(HistoryMessage.read(Self.page(257).encoded(for: group)) == nil)
        #expect(HistoryMessage.read([]) == nil && HistoryMessage.read([0xFF, 1]) == nil)
        // Encodes a control message field by field.
        func note(group: [UInt8] = group.bytes, author: Int = 32, content: [UInt8] = [1], id: Int = 16) -> [UInt8] {
            let record =
                ContentBytes.field(1, [UInt8](repeating: 7, count: author)) + ContentBytes.field(2, content)
                + ContentBytes.field(3, [UInt8](repeating: 8, count: id))
            return ContentBytes.field(6, group) + ContentBytes.field(91, ContentBytes.field(3, record))
        }
        #expect(HistoryMessage.read(note()) != nil && HistoryMessage.read(note(id: 0)) != nil)
        let damaged = [
            note(group: [1]), note(author: 31), note(author: 0), note(content: []), note(id: 15),
            ContentBytes.field(6, group.bytes),
        ]
        #expect(damaged.allSatisfy { HistoryMessage.read($0) == nil })
    }

    @Test("The largest message there can be, with its author, fits a page")
    func largest() throws {
        let names = (0..<ContentLimits.mentionCount).map {
            Mention(Numbered.peer($0), at: (15_000 + $0 * 20)..<(15_010 + $0 * 20))
        }
        let context = MessageContext(replyTo: Numbered.message(1), mentions: names)
        let text = String(repeating: "x", count: ChatLimits.textByteCount)
        let content = MessageContent.Decoded(
            .text(.init(text)),
            sentAt: 1_800_000_000_000,
            order: 1 << 62,
            context: context
        )
        let record = HistoryRecord(
            author: Numbered.peer(1),
            content: MessageContent.message(content, salt: [UInt8](repeating: 1, count: 16))
        )
        #expect(record.byteCount <= EarlierMessageLimits.recordsByteCount)
        let edit = ChangeOperation(
            id: Numbered.message(2),
            author: Numbered.peer(1),
            target: Numbered.message(3),
            sentAt: 1_800_000_000_000,
            .edit(text, mentions: names, number: .max)
        )
        let change = HistoryRecord(author: edit.author, content: MessageContent.change(edit), change: edit.id)
        #expect(change.byteCount <= EarlierMessageLimits.recordsByteCount)
        let group = try #require(Self.group)
        let cursor = HistoryCursor(place: .max, part: .max)
        let fill = [UInt8](
            repeating: 1,
            count: EarlierMessageLimits.recordsByteCount - change.byteCount + change.content.count
        )
        let full = HistoryRecord(author: edit.author, content: fill, change: edit.id)
        #expect(full.byteCount == EarlierMessageLimits.recordsByteCount)
        let note = ControlMessage.history(group, .page(HistoryPage(from: cursor, next: cursor, records: [full])))
        let time = ChatTime(wall: 1_800_000_000_000, monotonic: .zero)
        #expect(MessageContent.control(note, at: time).count <= SessionLimits.maximumFirstContentByteCount)
    }

    @Test("Policies for newcomers are read as they are written")
    func policies() {
        for text in ["none", "all", "last:1", "last:65535"] { #expect(GroupPolicy.History(text)?.description == text) }
        for text in ["", "last", "last:", "last:0", "last:65536", "last:-1", "all:1", "none:", "5", "last:1:2", "ALL"] {
            #expect(GroupPolicy.History(text) == nil, "\(text)")
        }
        #expect([.all, .last(2), .none, .last(1)].sorted() == [GroupPolicy.History.none, .last(1), .last(2), .all])
    }
}
