import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

@Suite("More writes than one batch of the store holds")
struct StepLimitTests {
    @Test("Writes that a machine has not handed out yet fill a step, so that no loop goes on without a limit")
    func pendingWrites() throws {
        let scene = try ScriptedWorld()
        let unknownPeer = Numbered.peer(9)
        try scene.world.step(0) { engine in
            for number in 0..<ChatLimits.stepWriteCount {
                let isFull = engine.isStepFull
                #expect(!isFull)
                engine.addPendingReceipt(Numbered.message(number), to: unknownPeer, in: .direct(unknownPeer))
            }
            let isFull = engine.isStepFull
            #expect(isFull)
        }
    }

    @Test("Receipts of many friends who come at once are taken in several steps")
    func receipts() throws {
        let scene = try ScriptedWorld()
        let friendCount = 64
        let messageCount = HistoryLimits.batchChangeCount / friendCount / 2 + 1
        var receipts: [Submission] = []
        var ids: [(peer: PeerID, ids: [MessageID])] = []
        for number in 0..<friendCount {
            var friend = try scene.friend("F\(number)")
            let sent = try (0..<messageCount).compactMap { try scene.world.send("\($0)", to: friend.id) }
            receipts.append(try friend.confirm(sent, to: scene.engine, at: scene.now))
            ids.append((friend.id, sent))
        }
        #expect(try scene.world.receive(receipts) > 1)
        #expect(scene.engine.outbox.messageCount == 0)
        for (peer, sent) in ids {
            let statuses = try scene.alice.statuses(to: peer, at: scene.now)
            #expect(statuses == sent.map { _ in .delivered })
        }
    }

    @Test(
        "What flights have left expires in several steps, while the node runs and when it starts",
        arguments: [false, true]
    )
    func expiry(atStart: Bool) throws {
        let scene = try ScriptedWorld()
        let friendCount = HistoryLimits.batchChangeCount / SessionLimits.messagesPerPeerAndPrekey + 1
        for number in 0..<friendCount {
            var friend = try scene.friend("F\(number)")
            for _ in 0..<SessionLimits.messagesPerPeerAndPrekey {
                friend.loseSessions(with: scene.engine.ownID)
                try scene.bring(ContentBytes.receipt([]), from: &friend)
            }
            // No more than the rate of prekey messages that are opened.
            scene.world.run(for: 2_000)
        }
        let before = try scene.alice.store.count(.sessions, conversation: nil)
        #expect(before > HistoryLimits.batchChangeCount)
        let month: UInt64 = 30 * 86_400_000
        if atStart {
            scene.world.passUnseen(month)
            try scene.world.restart(0)
            scene.world.run(for: 10_000)
        } else {
            scene.world.sleep(for: month)
        }
        // The newest prekey remains, and of each contact the newest session with its key exchange.
        #expect(try scene.alice.store.count(.sessions, conversation: nil) == 1 + 2 * friendCount)
    }
}
