import ChatCrypto
import Earshot
import Testing

@testable import ChatCore

@Suite("Receipts leave soon, and few leave for many messages")
struct ReceiptTests {
    /// Returns the receipts that Alice submitted since the last call, each as the number of messages that it names.
    private static func receipts(_ scene: ScriptedWorld, to peer: inout ScriptedPeer) throws -> [Int] {
        try peer.contents(of: scene.world.takeSubmitted(), at: scene.now).compactMap { content in
            guard case .receipt(let receipt) = MessageContent.decode(content)?.body else { return nil }
            return receipt.delivered.count + receipt.packs.count
        }
    }

    @Test("A lone message is confirmed in the moment in which it came")
    func lone() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        for order in 1...3 as ClosedRange<UInt64> {
            _ = scene.world.takeSubmitted()
            try scene.bring(ContentBytes.text("alone", order: order), from: &bob)
            scene.world.run(for: 0)
            #expect(try Self.receipts(scene, to: &bob) == [1])
            scene.world.run(for: 1_000)
        }
    }

    @Test("A hundred messages within a hundred milliseconds make one receipt at once and few later")
    func burst() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        scene.world.run(for: 1_000)
        _ = scene.world.takeSubmitted()
        for order in 1...100 as ClosedRange<UInt64> {
            try scene.bring(ContentBytes.text("one of many", order: order), from: &bob)
            scene.world.run(for: 1)
        }
        scene.world.run(for: 1_000)
        let receipts = try Self.receipts(scene, to: &bob)
        #expect(receipts.first == 1 && receipts.reduce(0, +) == 100)
        #expect(receipts.count <= 4, "\(receipts)")
    }
}
