import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

@Suite("Contents of other versions and of nobody")
struct ContentTests {
    @Test("Content of an unknown kind is kept and confirmed, and neither shown nor counted")
    func unknownKind() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let content = ContentBytes.unknown(order: 1)
        let id = try scene.bring(content, from: &bob)
        let next = try scene.bring(ContentBytes.text("2", order: 2), from: &bob)
        #expect(try scene.confirmed(to: &bob, among: [id, next]) == [id, next])
        #expect(try scene.texts(with: bob) == ["2"])
        #expect(scene.alice.textsTold == ["2"])
        #expect(try scene.conversation(with: bob)?.unreadCount == 1)
        let record = try #require(try scene.alice.stored(.messages, id.bytes))
        #expect(record.firstRange(of: content) != nil)
    }

    @Test("Fields that this version does not know stay in what is stored, and in the message's name")
    func unknownFields() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let content = ContentBytes.text("1", order: 1, more: ContentBytes.field(77, [9, 9, 9]))
        let id = try scene.bring(content, from: &bob)
        #expect(try scene.texts(with: bob) == ["1"])
        #expect(try scene.confirmed(to: &bob, among: [id]) == [id])
        try scene.world.restart(0)
        let record = try #require(try scene.alice.stored(.messages, id.bytes))
        #expect(record.firstRange(of: content) != nil)
        #expect(try scene.alice.history(with: bob.id, at: scene.now).map(\.id) == [id])
    }

    @Test("Content beyond the limits is dropped, and what follows is shown", arguments: Malformed.allCases)
    func malformed(_ malformed: Malformed) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(malformed.content, from: &bob)
        #expect(try scene.alice.store.count(.messages, conversation: nil) == 0)
        try scene.bring(ContentBytes.text("next", order: 1), from: &bob)
        #expect(try scene.texts(with: bob) == ["next"])
    }

    @Test("The longest text there is is shown")
    func longest() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let text = String(repeating: "x", count: ChatLimits.textByteCount)
        try scene.bring(ContentBytes.text(text, order: 1), from: &bob)
        #expect(try scene.texts(with: bob) == [text])
    }

    @Test("The end of the year 9999 is only a time, and what comes after is no content")
    func farTime() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(ContentBytes.text("1", order: 1, sentAt: 253_402_300_799_999), from: &bob)
        try scene.bring(ContentBytes.text("2", order: 2, sentAt: 0), from: &bob)
        try scene.bring(ContentBytes.text("3", order: 3, sentAt: 253_402_300_800_000), from: &bob)
        #expect(try scene.texts(with: bob) == ["1", "2"])
    }

    enum Malformed: CaseIterable {
        case noText, tooLong, noOrder, tooManyReceipts, noProtobuf

        var content: [UInt8] {
            switch self {
            case .noText: ContentBytes.text("", order: 1)
            case .tooLong: ContentBytes.text(String(repeating: "x", count: ChatLimits.textByteCount + 1), order: 1)
            case .noOrder: ContentBytes.text("x", order: 0)
            case .tooManyReceipts:
                ContentBytes.receipt(
                    (0...ChatLimits.receiptCount).compactMap { _ in MessageID(bytes: randomBytes(16)) }
                )
            case .noProtobuf: [0xFF, 0xFF, 0xFF]
            }
        }
    }
}
