import ChatCrypto
import ChatHistory
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Erasing a conversation")
struct ConversationErasureTests {
    private static let tables: [RecordTable] = [.messages, .keys, .blobs, .timers, .reorderBuffer]

    /// Returns the number of rows that hold anything of the conversation.
    private static func rowCount(_ node: EngineNode) throws -> Int {
        try tables.reduce(0) { try $0 + node.store.count($1, conversation: nil) }
    }

    /// Erases the conversation with Bob as a node does, in two steps.
    private static func erase(_ scene: ContentScene) throws {
        let conversation = ConversationID.direct(scene.bob)
        try scene.world.step(0) { try $0.beginErasing(conversation) }
        try scene.world.step(0) { try $0.erase(conversation) }
        scene.world.run(for: 1_000)
    }

    /// Makes a scene in which both have written and Bob has not received the last text.
    private static func talk() throws -> ContentScene {
        let scene = try ContentScene()
        for text in ["one", "two"] { _ = try scene.say(text) }
        _ = try scene.say("three", from: 1, MessageOptions(expiresAfter: .seconds(600)))
        scene.world.deaf = [1]
        _ = try scene.say("on its way")
        return scene
    }

    @Test("Everything of it is gone here and told once; the friend keeps his, and both go on in order")
    func erases() throws {
        let scene = try Self.talk()
        try Self.erase(scene)
        #expect(try Self.rowCount(scene.world[0]) == 0)
        #expect(try scene.shown(0).isEmpty)
        #expect(scene.world[0].events.filter { $0 == .erased(.direct(scene.bob)) }.count == 1)
        #expect(try scene.world[0].read(at: scene.world.now) { try $0.conversationList() }.isEmpty)
        #expect(scene.world[0].engine.outbox.messageCount == 0)
        #expect(try scene.shown(1).map(\.text) == ["one", "two", "three"])

        scene.world.deaf = []
        try scene.world.restart(0)
        _ = try scene.say("after")
        _ = try scene.say("answer", from: 1)
        scene.world.run(for: 120_000)
        #expect(try scene.shown(0).map(\.text) == ["after", "answer"])
        #expect(try scene.world[0].read(at: scene.world.now) { try $0.conversationList() }.count == 1)
        let error = #expect(throws: ChatError.self) {
            try scene.world.step(0) { try $0.beginErasing(.direct($0.ownID)) }
        }
        #expect(error?.code == .notFound)
    }

    @Test("Wherever it is cut off, either all is there or the next start erases the rest", arguments: 0...5)
    func cutOff(_ writeCount: Int) throws {
        let scene = try Self.talk()
        let before = try scene.shown(0).map(\.text)
        scene.world[0].store.writesLeft = writeCount
        let isWhole = (try? Self.erase(scene)) != nil
        scene.world[0].store.writesLeft = nil
        #expect(isWhole == (writeCount > 3))
        try scene.world.restart(0)
        scene.world.run(for: 1_000)
        #expect(try scene.shown(0).map(\.text) == (writeCount == 0 ? before : []))
        #expect(try writeCount == 0 || Self.rowCount(scene.world[0]) == 0)
        _ = try scene.say("after", from: 1)
        #expect(try scene.shown(0).last?.text == "after")
        // The conversation stays erased: the mark of the erasure is removed as well.
        try scene.world.restart(0)
        #expect(try scene.shown(0).last?.text == "after")
    }
}
