import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Numbers of messages in a chat")
struct ChatNumberTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let group = "0123456789abcdef0123456789abcdef"

    private static func people() throws -> ChatPeople {
        let json =
            #"{"id":"\#(group)","kind":"group","title":"Trees","members":[],"unread":0,"request":false}"#
        return ChatPeople(
            own: "a1",
            contacts: ["b2": try ChatSamples.contact("b2", "Bob"), "c3": try ChatSamples.contact("c3", "Carol")],
            conversations: [
                "b2": try ChatSamples.conversation("b2", "Bob"), "c3": try ChatSamples.conversation("c3", "Carol"),
                group: try RPCCoding.decode(ConversationReply.self, from: Array(json.utf8)),
            ]
        )
    }

    /// Opens a conversation that holds some messages.
    private static func open(
        _ id: String,
        _ kind: String,
        _ messages: [MessageReply],
        in state: inout ChatState
    ) throws {
        let place = ChatConversation(id: id, kind: kind, title: id, own: "a1")
        _ = state.handle(.answer(.open(id), .opened(place, messages, try people())), at: now)
    }

    @Test("A number acts on nothing that is not in the open conversation, and the refusal names the way there")
    func elsewhere() throws {
        let poll =
            #""poll":{"question":"Tea?","options":[{"text":"yes","votes":[]}],"multiple":false,"mayChange":true,"closed":false}"#
        let file = #","files":[{"name":"a.txt","size":1,"type":"text/plain","complete":true}]"#
        let inGroup = #""conversation":"\#(Self.group)""#
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        try Self.open("b2", "direct", [try ChatSamples.message(1, "", from: "b2", poll + file)], in: &state)
        try Self.open(Self.group, "group", [try ChatSamples.message(2, "", from: "a1", inGroup)], in: &state)
        let commands = [
            "/react 1 👍", "/edit 1 x", "/delete 1", "/reply 1 x", "/vote 1 1", "/poll close 1", "/save 1",
        ]
        for command in commands {
            let effects = state.handle(.typed(command), at: Self.now)
            let reason = "Message 1 is in your conversation with Bob: /dm Bob first."
            #expect(effects == [ChatState.mistake(reason)], "\(command)")
        }
        try Self.open("b2", "direct", [], in: &state)
        for command in commands {
            #expect(state.handle(.typed(command), at: Self.now).texts == [], "\(command)")
        }
        #expect(
            state.handle(.typed("/delete 2"), at: Self.now)
                == [ChatState.mistake("Message 2 is in the group Trees: /dm group:Trees first.")]
        )
    }

    @Test("The chat reports what an edit, a reaction or a deletion of one's own has changed")
    func reports() throws {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        try Self.open("b2", "direct", [try ChatSamples.message(1, "Helo", from: "a1")], in: &state)
        func changed(_ text: String, _ fields: String) throws -> [String] {
            state.handle(.event(.changed(try ChatSamples.message(1, text, from: "a1", fields))), at: Self.now).texts
        }
        #expect(try changed("Hello\nthere", #""edited":true"#) == [" · Message 1 says now: Hello", "   there"])
        let liked = #""edited":true,"reactions":[{"emoji":"👍","from":["a1","b2"]}]"#
        #expect(try changed("Hello\nthere", liked) == [" · 👍 on message 1", " · Bob: 👍 on message 1"])
        #expect(try changed("", #""deleted":true"#) == [" · Message 1 is deleted for everyone."])
    }
}
