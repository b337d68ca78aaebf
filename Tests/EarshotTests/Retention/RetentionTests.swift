import ChatCrypto
import ChatHistory
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("How much is kept, drafts and pins")
struct RetentionTests {
    private let scene: ScriptedWorld
    private var bob: ScriptedPeer
    private var conversation: ConversationID { .direct(bob.id) }

    init() throws {
        scene = try ScriptedWorld()
        bob = try scene.friend("Bob")
    }

    /// Brings messages with their numbers as texts, each a second after the one before.
    private mutating func bring(_ numbers: ClosedRange<Int>, padding: Int = 0) throws {
        for number in numbers {
            let text = "\(number)" + String(repeating: " ", count: padding)
            try scene.bring(ContentBytes.text(text, order: UInt64(number)), from: &bob)
            scene.world.run(for: 1_000)
        }
    }

    private func keep(_ retention: Retention?, of conversation: ConversationID?) throws {
        try scene.world.step(0) { try $0.setRetention(retention, of: conversation) }
        scene.world.run(for: 2_000)
    }

    private func numbers() throws -> [Int] {
        try scene.texts(with: bob).compactMap { Int($0.prefix { $0 != " " }) }
    }

    @Test("The newest are kept up to their number, when the limit is set, when more come, and after a restart")
    mutating func byCount() throws {
        try bring(1...12)
        try keep(Retention(messageCount: 5), of: nil)
        #expect(try numbers() == Array(8...12))
        try bring(13...14)
        #expect(try numbers() == Array(10...14))
        #expect(scene.alice.events.count { if case .removed = $0 { true } else { false } } == 9)
        try scene.world.restart(0)
        #expect(try numbers() == Array(10...14))
        try bring(15...15)
        #expect(try numbers() == Array(11...15))
        // A message that the user deletes does not count as one of the kept messages.
        let newest = try #require(try scene.alice.history(with: bob.id, at: scene.now).last)
        try scene.world.step(0) { try $0.delete(newest.id, forEveryone: false) }
        #expect(try numbers() == Array(11...14))
        try bring(16...16)
        #expect(try numbers() == [11, 12, 13, 14, 16])
    }

    @Test("A file that a message only claims counts nothing, and one that is here counts its bytes")
    mutating func claimedSizes() async throws {
        try bring(1...5)
        try keep(Retention(byteCount: 1_000_000_000), of: nil)
        var content = ProtoContent()
        (content.sentAt, content.order, content.salt) = (1, 6, .init([UInt8](repeating: 1, count: 16)))
        var file = ProtoFile()
        (file.root, file.key) = (.init([UInt8](repeating: 2, count: 32)), .init([UInt8](repeating: 3, count: 32)))
        (file.name, file.type, file.size) = ("a.bin", "application/octet-stream", 1 << 32)
        content.text.files = [file]
        try scene.bring(MessageContent.encoded(content), from: &bob)
        scene.world.run(for: 2_000)
        #expect(try numbers() == Array(1...5))
        let two = try ContentScene()
        let retention = Retention(byteCount: 3_000)
        try two.act(1) { try $0.setRetention(retention, of: .direct(two.alice)) }
        for number in 1...3 { _ = try two.say("\(number)") }
        try await two.world.send(files: [[UInt8](repeating: 1, count: 5_000)], to: two.bob)
        two.world.run(for: 10_000)
        #expect(try two.shown(1).map(\.files.count) == [1])
    }

    @Test("Messages go by the clock, also for the time that the program was off")
    mutating func byAge() throws {
        try bring(1...3)
        try keep(Retention(age: .seconds(3_600)), of: nil)
        scene.world.run(for: 3_000_000)
        try bring(4...4)
        #expect(try numbers() == [1, 2, 3, 4])
        scene.world.run(for: 700_000)
        #expect(try numbers() == [4])
        scene.world.passUnseen(3_600_000)
        // The node has not removed the message yet, but does not show it any more.
        try scene.alice.restore(at: scene.now)
        #expect(try numbers() == [])
        #expect(scene.alice.store.erasureCount == 3)
        try scene.world.restart(0)
        scene.world.run(for: 2_000)
        #expect(scene.alice.store.erasureCount == 4)
    }

    @Test("Texts and files are kept up to their bytes")
    mutating func byBytes() throws {
        try bring(1...6, padding: 1_000)
        try keep(Retention(byteCount: 3_500), of: nil)
        #expect(try numbers() == [4, 5, 6])
        try bring(7...7, padding: 2_200)
        #expect(try numbers() == [6, 7])
        try bring(8...8, padding: 4_000)
        // The newest message is kept, whatever its size.
        #expect(try numbers() == [8])
    }

    @Test("A conversation's own limits stand above those of all, until they are taken away")
    mutating func ownLimits() throws {
        try bring(1...9)
        try keep(.everything, of: conversation)
        try keep(Retention(messageCount: 2), of: nil)
        #expect(try numbers().count == 9)
        let own = try scene.engine.retention(of: conversation)
        #expect(own.isOwn && own.retention == .everything)
        try scene.world.restart(0)
        #expect(try numbers().count == 9)
        try keep(Retention(messageCount: 4), of: conversation)
        #expect(try numbers() == [6, 7, 8, 9])
        try keep(nil, of: conversation)
        #expect(try numbers() == [8, 9])
        #expect(try scene.engine.retention(of: nil).retention == Retention(messageCount: 2))
    }

    @Test("That a message was there stays for 14 days, and then nothing but the newest row")
    mutating func remains() throws {
        try bring(1...6)
        try keep(Retention(messageCount: 2), of: nil)
        let store = scene.alice.store
        #expect(try store.count(.messages, conversation: nil) == 6)
        #expect(store.erasureCount == 4)
        scene.world.passUnseen(15 * 86_400_000)
        try scene.world.restart(0)
        scene.world.run(for: 2_000)
        for number in 7...9 { try scene.world.send("\(number)", to: bob.id) }
        scene.world.run(for: 2_000)
        #expect(try numbers() == [8, 9])
        #expect(try store.count(.messages, conversation: nil) == 3)
        try keep(Retention(age: .seconds(60)), of: nil)
        scene.world.passUnseen(15 * 86_400_000)
        try scene.world.restart(0)
        scene.world.run(for: 2_000)
        #expect(try store.count(.messages, conversation: nil) == 1)
    }

    @Test("Limits that keep nothing are refused")
    func refused() {
        for limits in [Retention(age: .seconds(59)), Retention(messageCount: 0), Retention(byteCount: -1)] {
            #expect(throws: ChatError.self) { try keep(limits, of: nil) }
        }
        let nobody = PeerID(hex: String(repeating: "ab", count: 32))
        #expect(code { try keep(.everything, of: nobody.map { .direct($0) }) } == .notFound)
    }

    @Test("A conversation that is deleted here leaves no text and nothing unread, and goes on")
    mutating func cleared() throws {
        try bring(1...6)
        var next: UInt64? = 0
        while let start = next {
            try scene.world.step(0) {
                next = try $0.clear(.direct(bob.id), from: start, upTo: .max)
            }
        }
        #expect(try numbers() == [])
        #expect(try scene.conversation(with: bob)?.unreadCount == 0)
        try bring(7...7)
        #expect(try numbers() == [7])
        try scene.world.restart(0)
        #expect(try numbers() == [7])
    }

    @Test("A draft outlives a restart, and goes with what is sent")
    func drafts() throws {
        let long = String(repeating: "é", count: 32_769)
        #expect(code { try scene.world.step(0) { try $0.setDraft(long, in: conversation) } } == .tooLarge)
        try scene.world.step(0) { try $0.setDraft("Dear Bo", in: conversation) }
        try scene.world.restart(0)
        #expect(scene.engine.draft(in: conversation) == "Dear Bo")
        try scene.world.send("Dear Bob", to: bob.id)
        #expect(scene.engine.draft(in: conversation) == "")
        #expect(try scene.alice.store.count(.conversationSettings, conversation: nil) == 0)
        try scene.world.restart(0)
        #expect(scene.engine.draft(in: conversation) == "")
    }

    @Test("What is pinned stands before the rest, over restarts, until it is let go")
    mutating func pins() throws {
        try bring(1...1)
        var eve = try scene.friend("Eve")
        try scene.bring(ContentBytes.text("1", order: 1), from: &eve)
        #expect(try titles() == ["Eve", "Bob"])
        #expect(try pin(true))
        #expect(try titles() == ["Bob", "Eve"])
        try scene.world.restart(0)
        #expect(try titles() == ["Bob", "Eve"])
        #expect(try !pin(false))
        #expect(try titles() == ["Eve", "Bob"])
        let nobody = ConversationID.direct(scene.engine.ownID)
        #expect(code { try scene.world.step(0) { _ = try $0.pin(nobody, true) } } == .notFound)
    }

    private func pin(_ isPinned: Bool) throws -> Bool {
        var pinned: Conversation?
        try scene.world.step(0) { pinned = try $0.pin(conversation, isPinned) }
        return try #require(pinned).isPinned
    }

    private func titles() throws -> [String] {
        try scene.alice.read(at: scene.now) { try $0.conversationList() }.map(\.title)
    }
}
