import ChatCrypto
import ChatHistory
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Windows of a conversation")
struct HistoryWindowTests {
    @Test("A window lies where it is wanted, and tells how much there is around it", arguments: [0, 1 << 31])
    func windows(gap: UInt64) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        var ids: [MessageID] = []
        for order in 0..<25 {
            ids.append(try scene.bring(ContentBytes.text("\(order)", order: UInt64(order + 1)), from: &bob))
        }
        try scene.lower(ids[..<10], in: bob.id, by: gap)
        func window(_ place: HistoryWindow.Place, limit: Int = 4) throws -> [Int] {
            let window = try scene.alice.read(at: scene.now) {
                try $0.history(of: .direct(bob.id)).window(limit: limit, at: place)
            }
            return [window.countBefore] + window.messages.compactMap { Int($0.text) } + [window.countAfter]
        }
        for index in 0..<25 {
            let shown = index..<min(index + 4, 25)
            #expect(try window(.index(index)) == [index] + shown + [25 - shown.upperBound])
        }
        #expect(try window(.index(.max)) == [24, 24, 0])
        #expect(try window(.end) == [21, 21, 22, 23, 24, 0])
        #expect(try window(.end, limit: .max) == [0] + (0..<25) + [0])
        #expect(try window(.message(ids[10])) == [8, 8, 9, 10, 11, 13])
        #expect(try window(.message(ids[0])) == [0, 0, 1, 2, 3, 21])
        // The window counts a message that is no longer shown, and skips it.
        try scene.world.step(0) { try $0.delete(ids[7], forEveryone: false) }
        #expect(try window(.index(6)) == [6, 6, 8, 9, 10, 14])
        #expect(throws: ChatError.self) {
            try window(.message(MessageID(bytes: [UInt8](repeating: 1, count: 16)) ?? ids[0]))
        }
    }

    @Test("A conversation without messages has one window, with nothing in it or around it")
    func emptyWindow() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        for place in [HistoryWindow.Place.end, .index(0), .index(9)] {
            let window = try scene.alice.read(at: scene.now) {
                try $0.history(of: .direct(bob.id)).window(limit: 4, at: place)
            }
            #expect(window == HistoryWindow(messages: [], countBefore: 0, countAfter: 0))
        }
    }
}

extension ScriptedWorld {
    /// Gives messages lower positions, as imported messages and those from before a new member joined have them.
    fileprivate func lower(_ ids: ArraySlice<MessageID>, in peer: PeerID, by gap: UInt64) throws {
        try world.step(0) { engine in
            for id in ids {
                guard let (place, bytes) = try engine.step.record(.messages, id.bytes) else { continue }
                engine.step.put(.messages, id.bytes, conversation: .direct(peer), sequence: place - gap, bytes)
            }
        }
    }
}
