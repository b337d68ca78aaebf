import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("What comes while a chat opens a conversation")
struct ChatPageTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let bob = ChatConversation(id: "b2", kind: "direct", title: "Bob", own: "a1", members: ["b2": "Bob"])

    private static func people() throws -> ChatPeople {
        ChatPeople(
            own: "a1",
            contacts: ["b2": try ChatSamples.contact("b2", "Bob"), "c3": try ChatSamples.contact("c3", "Carol")],
            conversations: [
                "b2": try ChatSamples.conversation("b2", "Bob"), "c3": try ChatSamples.conversation("c3", "Carol"),
            ]
        )
    }

    /// Makes a chat state in which Bob's conversation is open and holds a message.
    private static func opened() throws -> ChatState {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        let messages = [try ChatSamples.message(1, "old")]
        _ = state.handle(.answer(.open("Bob"), .opened(bob, messages, try people())), at: now)
        return state
    }

    private static func came(_ number: Int, _ text: String, from: String = "b2") throws -> ChatInput {
        .event(.message(try ChatSamples.message(number, text, from: from)))
    }

    /// The texts of the messages among the lines.
    private static func said(_ effects: [EarshotCLI.ChatEffect]) -> [String] {
        effects.texts.compactMap { $0.contains("│ ") ? $0.split(separator: "│ ").last.map(String.init) : nil }
    }

    private static func page(_ texts: [String]) throws -> ChatAnswer {
        let messages = try texts.enumerated().map { try ChatSamples.message($0 + 1, $1) }
        return .opened(bob, messages, try people())
    }

    @Test("After unlocking, what waited is shown once, whether its page or its event comes first, and none is lost")
    func unlocking() throws {
        for pageCount in 1...4 {
            var state = try Self.opened()
            _ = state.handle(.event(.locked), at: Self.now)
            #expect(state.handle(.event(.unlocked), at: Self.now) == [.perform(.open("b2"))])
            let before = try [Self.came(2, "two"), Self.came(3, "three")]
                .flatMap { state.handle($0, at: Self.now) }
            let texts = ["old", "two", "three", "four"]
            let shown = state.handle(.answer(.open("b2"), try Self.page(Array(texts[..<pageCount]))), at: Self.now)
            let after = state.handle(try Self.came(4, "four"), at: Self.now)
            #expect(Self.said(before + shown + after) == texts, "a page of \(pageCount)")
            #expect(state.numbered.number(of: ChatSamples.id(3)) != nil)
        }
    }

    @Test("A message that comes while another conversation is being opened is not lost in it")
    func goingElsewhere() throws {
        var state = try Self.opened()
        #expect(state.handle(.typed("/dm Carol"), at: Self.now) == [.perform(.open("Carol"))])
        let elsewhere = state.handle(try Self.came(5, "from Carol", from: "c3"), at: Self.now)
        #expect(elsewhere.texts == [" · Carol has written to you. Use /dm to read it."])
        #expect(Self.said(state.handle(try Self.came(6, "from Bob"), at: Self.now)) == ["from Bob"])
        let carol = ChatConversation(id: "c3", kind: "direct", title: "Carol", own: "a1", members: ["c3": "Carol"])
        let shown = state.handle(.answer(.open("Carol"), .opened(carol, [], try Self.people())), at: Self.now)
        #expect(Self.said(shown) == ["from Carol"] && shown.last == .perform(.markRead("c3")))
        #expect(Self.said(state.handle(try Self.came(5, "from Carol", from: "c3"), at: Self.now)) == [])
    }

    @Test("What is changed, taken away or comes further meanwhile stands as it is in the end")
    func changes() throws {
        var state = try Self.opened()
        _ = state.handle(.typed("/hide"), at: Self.now)
        #expect(state.handle(.typed("/show"), at: Self.now) == [.perform(.open("b2"))])
        let own = try ChatSamples.message(2, "mine", from: "a1")
        for event in [
            .message(own), .message(try ChatSamples.message(3, "draft")),
            .changed(try ChatSamples.message(3, "final", #""edited":true"#)),
            .status(message: own.id, status: "delivered", reason: nil),
            .removed(conversation: "b2", message: ChatSamples.id(1)),
        ] as [RPCEvent] {
            #expect(state.handle(.event(event), at: Self.now) == [])
        }
        let final = [own, try ChatSamples.message(3, "final", #""edited":true"#)]
        let shown = state.handle(.answer(.open("b2"), .opened(Self.bob, final, try Self.people())), at: Self.now)
        #expect(
            shown.texts == [
                "── Bob ──", "     you  08:00", "   2 ┃ mine  ○ queued", "     Bob  08:00  edited", "   3 │ final",
                " · Message 1 is gone.",
            ]
        )
        #expect(shown.contains { if case .redraw(own.id, _) = $0 { true } else { false } })
    }

    @Test("Where the page does not come, what waited is shown, and a lock forgets it")
    func failing() throws {
        var state = try Self.opened()
        _ = state.handle(.event(.lagged(dropped: 1)), at: Self.now)
        #expect(state.handle(try Self.came(2, "two"), at: Self.now) == [])
        let failure = CommandFailure(.notInTime, "Too much is under way.")
        let shown = state.handle(.answer(.catchUp("b2"), .failed(failure)), at: Self.now)
        #expect(Self.said(shown) == ["two"])
        _ = state.handle(.typed("/show"), at: Self.now)
        _ = state.handle(try Self.came(3, "secret"), at: Self.now)
        _ = state.handle(.event(.locked), at: Self.now)
        #expect(state.awaited.events.isEmpty)
        #expect(state.handle(.answer(.open("b2"), try Self.page(["secret"])), at: Self.now) == [])
        #expect(state.numbered.number(of: ChatSamples.id(1)) == nil)
    }

    @Test("Of events that wait there are so many at most; then all are taken as they come")
    func bounded() throws {
        var state = try Self.opened()
        _ = state.handle(.typed("/show"), at: Self.now)
        var shown: [EarshotCLI.ChatEffect] = []
        for number in 2...AwaitedPages.eventCount {
            shown += state.handle(try Self.came(number, "\(number)"), at: Self.now)
        }
        #expect(shown.isEmpty && state.awaited.events.count == AwaitedPages.eventCount - 1)
        shown = state.handle(try Self.came(0x1000, "last"), at: Self.now)
        #expect(Self.said(shown) == (2...AwaitedPages.eventCount).map(String.init) + ["last"])
        #expect(state.awaited.events.isEmpty)
        #expect(Self.said(state.handle(try Self.came(0x1001, "next"), at: Self.now)) == ["next"])
    }
}
