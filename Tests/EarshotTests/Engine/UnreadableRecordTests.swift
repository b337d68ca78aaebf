import ChatCrypto
import ChatHistory
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Stored records that cannot be read")
struct UnreadableRecordTests {
    /// Bytes that are no message of any kind: a number that never ends.
    private static let junk = [UInt8](repeating: 0xFF, count: 12)

    @Test(
        "A record that cannot be read is told when the store is taken up, and never taken for absent",
        arguments: [RecordTable.bundles, .conversations, .outbox, .pendingReceipts, .timers, .conversationSettings]
    )
    func refused(table: RecordTable) throws {
        let world = try EngineWorld()
        try world.friends()
        let bob = world[1].id
        world.deaf = [1]
        try world.step(0) { engine in
            _ = try engine.send("Gone soon", MessageOptions(expiresAfter: .seconds(60)), to: .direct(bob))
            try engine.setDraft("Dear Bo", in: .direct(bob))
            let unsent = MessageID(sender: bob, chat: bob.bytes, content: [1])
            engine.addPendingReceipt(unsent, to: bob, in: .direct(bob))
            engine.receipts.suspend(unsent)
        }
        let record = try #require(try world[0].records(table).first)
        #expect(try world[0].refusal(saying: Self.junk, in: record, at: world.now)?.code == .homeCorrupt)
        #expect(try world[0].refusal(saying: record.plaintext, in: record, at: world.now) == nil)
    }

    @Test("A message that cannot be read is told when its conversation is read")
    func message() throws {
        let world = try EngineWorld()
        try world.friends()
        let bob = world[1].id
        let id = try #require(try world.send("Hello", to: bob))
        try world.step(0) { engine in
            engine.step.put(.messages, id.bytes, conversation: .direct(bob), sequence: 1, Self.junk)
        }
        let error = #expect(throws: ChatError.self) {
            try world[0].read(at: world.now) { try $0.history(of: .direct(bob)).page(limit: 10, before: nil) }
        }
        #expect(error?.code == .homeCorrupt)
    }
}
