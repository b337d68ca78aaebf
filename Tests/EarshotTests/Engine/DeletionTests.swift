import ChatCrypto
import ChatHistory
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Messages deleted on their way")
struct DeletionTests {
    /// Makes a sealed text that Bob, who is offline, has not received.
    private static func onItsWay() throws -> (scene: ContentScene, id: MessageID) {
        let scene = try ContentScene()
        scene.world.deaf = [1]
        return (scene, try scene.say("what nobody is to read"))
    }

    private static func holdsText(_ scene: ContentScene, _ id: MessageID) throws -> Bool {
        let tables: [RecordTable] = [.outbox, .messages]
        return try tables.contains { table in
            try scene.world[0].stored(table, id.bytes)?.firstRange(of: Array("nobody is to read".utf8)) != nil
        }
    }

    @Test("Nothing of its text is left in the outbox, its envelope goes on, and who gets both shows that it was there")
    func envelope() throws {
        let (scene, id) = try Self.onItsWay()
        #expect(try Self.holdsText(scene, id))
        try scene.act(0) { try $0.delete(id, forEveryone: true) }
        #expect(try !Self.holdsText(scene, id))
        try scene.world.restart(0)
        scene.world.deaf = []
        try scene.world.restart(1)
        scene.world.run(for: 5_000)
        #expect(try scene.shown(1).map(\.isDeleted) == [true])
        #expect(try scene.world[0].isAtRest)
    }

    @Test("When all is sealed anew for a peer that lost its keys, a deleted message is not, but its deletion is")
    func sealedAnew() throws {
        let (scene, id) = try Self.onItsWay()
        try scene.act(0) { try $0.delete(id, forEveryone: true) }
        _ = scene.world.takeSubmitted()
        let bob = scene.bob
        try scene.act(0) { try $0.resetSession(with: bob) }
        #expect(try scene.world[0].stored(.outbox, id.bytes) == nil)
        #expect(scene.world[0].engine.outbox.entries.count == 1)
        #expect(scene.world.takeSubmitted().count == 1)
    }
}
