import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Rooms in a chat")
struct ChatRoomTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let room = "0123456789abcdef0123456789abcdef"

    private static func event(_ json: String) throws -> ChatInput {
        let bytes = Array(#"{"type":"room","room":"\#(room)",\#(json)}"#.utf8)
        return .event(try RPCCoding.decode(RPCEvent.self, from: bytes))
    }

    private static func people() throws -> ChatPeople {
        ChatPeople(own: "a1", conversations: [room: try ChatSamples.conversation(room, "Tea")])
    }

    /// Makes an input line about the room.
    private static func line(_ number: Int, _ rest: String) throws -> ChatInput {
        let system = #""conversation":"\#(room)","kind":"system","system":{\#(rest)}"#
        return .event(.message(try ChatSamples.message(number, "", system)))
    }

    @Test("Who waits at the door of a room that another client made is told with the room's title")
    func door() throws {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        #expect(try state.handle(Self.line(1, #""event":"founded""#), at: Self.now) == [.perform(.refresh)])
        let code = try state.handle(Self.event(#""event":"code","code":"12-345678""#), at: Self.now)
        #expect(code.first == .perform(.refresh) && code.texts == [" · The room's new code is 12-345678."])
        let joinRequest = #""event":"waiting","by":"\#(Self.room)","name":"Fox""#
        #expect(try state.handle(Self.event(joinRequest), at: Self.now) == [.perform(.refresh)])
        let early = state.handle(.answer(.refresh, .known(try Self.people())), at: Self.now)
        let reported = try state.handle(Self.event(joinRequest), at: Self.now)
        for effects in [early, reported] {
            #expect(effects.texts == [" · Fox wants to join Tea: open the room to answer."])
        }
        let place = ChatConversation(id: Self.room, kind: "room", title: "Tea", own: "a1")
        var inside = state
        _ = inside.handle(.answer(.open("Tea"), .opened(place, [], try Self.people())), at: Self.now)
        let near = try inside.handle(Self.event(joinRequest), at: Self.now)
        #expect(near.texts == [" · Fox wants to join Tea: /room admit Fox or /room refuse Fox."])
        let over = try state.handle(Self.event(#""event":"closed""#), at: Self.now)
        #expect(over.texts == [" · The room Tea has ended."])
    }

    @Test("Where the title cannot be had, or too many wait for it, who waits is told without")
    func untitled() throws {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        let joinRequest = try Self.event(#""event":"waiting","by":"\#(Self.room)","name":"Fox""#)
        for _ in 0..<ChatState.joinRequestCount {
            #expect(state.handle(joinRequest, at: Self.now) == [.perform(.refresh)])
        }
        let line = " · Fox wants to join a room of yours: open the room to answer."
        #expect(state.handle(joinRequest, at: Self.now).texts == [line])
        let failure = CommandFailure(.failed, "No.")
        let shown = state.handle(.answer(.refresh, .failed(failure)), at: Self.now)
        #expect(shown.texts == Array(repeating: line, count: ChatState.joinRequestCount) && state.joinRequests == [])
    }

    @Test("A room is called a room, and who comes in is known by name from then on")
    func lines() throws {
        for kind in ["room", "group"] {
            var state = ChatState(hasStatusRow: true, zone: .gmt)
            let place = ChatConversation(id: Self.room, kind: kind, title: "Tea", own: "a1")
            _ = state.handle(.answer(.open("Tea"), .opened(place, [], try Self.people())), at: Self.now)
            let created = try state.handle(Self.line(1, #""event":"founded""#), at: Self.now)
            #expect(created.texts.last == "   1 │ (created the \(kind))")
            let fox = String(repeating: "f0", count: 32)
            let added = #""event":"added","peer":"\#(fox)","name":"Fox""#
            #expect(try state.handle(Self.line(2, added), at: Self.now).texts == ["   2 │ (added Fox)"])
            _ = state.handle(.event(.typing(conversation: Self.room, by: fox, active: true)), at: Self.now)
            #expect(state.prompt.status.text.contains("1 in it ── Fox types…"))
            let removed = #""event":"removed","peer":"\#(fox)","name":"Fox""#
            _ = try state.handle(Self.line(3, removed), at: Self.now)
            #expect(state.prompt.status.text.contains("0 in it"))
        }
    }
}
