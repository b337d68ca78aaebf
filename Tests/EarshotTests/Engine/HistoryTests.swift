import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("History and conversations")
struct HistoryTests {
    @Test("Pages lead from the newest message to the oldest", arguments: [false, true])
    func pages(isRestarted: Bool) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        for order in 1...25 { try scene.bring(ContentBytes.text("\(order)", order: UInt64(order)), from: &bob) }
        if isRestarted { try scene.world.restart(0) }
        var pages: [[String]] = []
        var before: MessageID?
        repeat {
            let page = try scene.page(of: bob.id, limit: 10, before: before)
            pages.append(page.map(\.text))
            before = page.first?.id
        } while before != nil
        #expect(pages == [(16...25), (6...15), (1...5)].map { $0.map { "\($0)" } } + [[]])
        #expect(try scene.page(of: bob.id, limit: 0, before: nil) == [])
        #expect(try scene.page(of: bob.id, limit: -1, before: nil) == [])
        #expect(try scene.page(of: bob.id, limit: .max, before: nil).count == 25)
    }

    @Test("Pages lead from the oldest message to the newest, and from any edge to any other", arguments: [false, true])
    func spans(isRestarted: Bool) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        for order in 1...25 {
            try scene.bring(ContentBytes.text("\(order)", order: UInt64(order)), from: &bob)
            scene.world.run(for: 1_000)
        }
        if isRestarted { try scene.world.restart(0) }
        let all = try scene.page(of: bob.id, limit: 25, before: nil)
        func texts(after: HistorySpan.Edge? = nil, before: HistorySpan.Edge? = nil, limit: Int = 10) throws -> [Int] {
            let span = HistorySpan(after: after, before: before)
            let page = try scene.alice.read(at: scene.now) {
                try $0.history(of: .direct(bob.id)).page(limit: limit, within: span)
            }
            return page.compactMap { Int($0.text) }
        }
        var pages: [[Int]] = []
        var after = HistorySpan.Edge.time(.distantPast)
        repeat {
            pages.append(try texts(after: after))
            after = .message(all[(pages.last?.last ?? 1) - 1].id)
        } while pages.last?.count == 10
        #expect(pages == [Array(1...10), Array(11...20), Array(21...25)])
        let (seventh, ninth) = (all[6], all[8])
        #expect(try texts(after: .message(seventh.id), before: .message(ninth.id)) == [8])
        // A time stands before the messages that came at that time.
        #expect(try texts(after: .time(seventh.receivedAt), before: .time(ninth.receivedAt)) == [7, 8])
        #expect(try texts(before: .time(seventh.receivedAt), limit: 2) == [5, 6])
        #expect(try texts(after: .time(seventh.receivedAt.addingTimeInterval(0.5)), limit: 2) == [8, 9])
        #expect(try texts(before: .time(.distantPast)) == [])
        #expect(try texts(after: .time(.distantFuture)) == [])
        #expect(try texts(before: .time(.distantFuture), limit: 3) == [23, 24, 25])
        #expect(try texts(after: .message(all[24].id)) == [])
        #expect(try texts(after: .message(ninth.id), before: .message(seventh.id)) == [])
        #expect(try texts(after: .time(.distantPast), before: .time(.distantPast), limit: 1) == [])
    }

    @Test("A page before a message that nobody knows is refused")
    func unknownPlace() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        let nobody = MessageID(bytes: [UInt8](repeating: 1, count: 16))
        #expect(code { try scene.page(of: bob.id, limit: 10, before: nobody) } == .notFound)
    }

    @Test("Conversations stand in the order of their last message, with what is unread")
    func conversations() throws {
        let scene = try ScriptedWorld()
        var (bob, eve) = (try scene.friend("Bob"), try scene.friend("Eve"))
        try scene.bring(ContentBytes.text("1", order: 1), from: &bob)
        scene.world.run(for: 10)
        try scene.bring(ContentBytes.text("1", order: 1), from: &eve)
        scene.world.run(for: 10)
        try scene.bring(ContentBytes.text("2", order: 2), from: &bob)
        #expect(try scene.list() == [["Bob", "2", "2"], ["Eve", "1", "1"]])
        try scene.world.step(0) { try $0.markRead(.direct(bob.id)) }
        scene.world.run(for: 10)
        try scene.world.send("3", to: eve.id)
        #expect(try scene.list() == [["Eve", "1", "3"], ["Bob", "0", "2"]])
        try scene.world.restart(0)
        #expect(try scene.list() == [["Eve", "1", "3"], ["Bob", "0", "2"]])
    }

    @Test("A read receipt is sent only by who chose to", arguments: [false, true])
    func readReceipts(isWilling: Bool) throws {
        let world = try EngineWorld()
        let (alice, bob) = (world[0].id, world[1].id)
        let message = try #require(try world.send("Have you seen this?", to: bob))
        world.run(for: 5_000)
        try world.step(1) { engine in
            try engine.decide(.accept, about: alice)
            engine.sendsReadReceipts = isWilling
            try engine.markRead(.direct(alice))
        }
        world.run(for: 5_000)
        let status = try world[0].read(at: world.now) { try $0.status(of: message) }
        #expect(status == (isWilling ? .read : .delivered))
    }

    @Test("Contacts stand before strangers, each by name")
    func contacts() throws {
        let scene = try ScriptedWorld()
        for name in ["zoe", "Adam"] { _ = try scene.peer(name) }
        for name in ["Yves", "bert"] { _ = try scene.friend(name) }
        let names = try scene.alice.read(at: scene.now) { engine in
            engine.contacts(at: engine.step.time).map(\.name)
        }
        #expect(names == ["bert", "Yves", "Adam", "zoe"])
    }
}

extension ScriptedWorld {
    fileprivate func page(of peer: PeerID, limit: Int, before: MessageID?) throws -> [Message] {
        try alice.read(at: now) { try $0.history(of: .direct(peer)).page(limit: limit, before: before) }
    }

    /// Returns the title, the unread count and the last text of each conversation.
    fileprivate func list() throws -> [[String]] {
        try alice.read(at: now) { try $0.conversationList() }
            .map { [$0.title, "\($0.unreadCount)", $0.last?.text ?? ""] }
    }
}
