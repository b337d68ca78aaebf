import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("The row above the line that is typed")
struct ChatStatusTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let bob = ChatConversation(id: "b2", kind: "direct", title: "Bob", own: "a1", members: ["b2": "Bob"])

    private static func people(_ contact: String, _ conversation: String = "") throws -> ChatPeople {
        let usual = #""id":"b2","name":"Bob","fingerprint":"""#
        let rest = #""id":"b2","kind":"direct","title":"Bob","members":["b2"],"unread":0,"request":false"#
        return ChatPeople(
            own: "a1",
            contacts: ["b2": try RPCCoding.decode(ContactReply.self, from: Array("{\(usual),\(contact)}".utf8))],
            conversations: [
                "b2": try RPCCoding.decode(ConversationReply.self, from: Array("{\(rest)\(conversation)}".utf8))
            ]
        )
    }

    private static func opened(_ people: ChatPeople) -> ChatState {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        _ = state.handle(.answer(.open("Bob"), .opened(bob, [], people)), at: now)
        return state
    }

    @Test(
        "A contact is in reach, was heard a while ago, or was not heard yet, in the words of the list of peers",
        arguments: [
            (#""trust":"verified","reachable":true,"hops":1"#, "verified, in reach, 1 hop"),
            (#""trust":"tofu","reachable":true"#, "not verified, in reach"),
            (
                #""trust":"tofu","reachable":false,"hops":2,"lastSeen":"2027-01-15T07:55:00.000Z""#,
                "not verified, heard 5 min ago"
            ),
            (#""trust":"unknown","reachable":false"#, "new, not heard yet"),
        ]
    )
    func presence(contact: String, text: String) throws {
        var state = Self.opened(try Self.people(contact))
        #expect(state.prompt.status.text == "── \(text) ──")
        let contacts = Array(state.people.contacts.values)
        let words = text.split(separator: ", ").map(String.init)
        let row = ContactTable.lines(contacts, now: Self.now)[1]
        #expect(row.contains("  \(words[0])  ") && row.contains("  \(words[1])  "), "\(row)")
        // Time passes without any event.
        _ = state.handle(.tick, at: Self.now.addingTimeInterval(600))
        #expect(state.prompt.status.text == "── \(text.replacing("5 min", with: "15 min")) ──")
    }

    @Test("The timer stands above the prompt, and is shown by the command without a time")
    func timer() throws {
        let contact = #""trust":"verified","reachable":true"#
        var state = Self.opened(try Self.people(contact, #","expiresAfter":300"#))
        #expect(state.prompt.status.text == "── verified, in reach ── timer 5m ──")
        let shown = state.handle(.typed("/expire"), at: Self.now)
        #expect(shown.texts == [" · New messages disappear 5 minutes after they are read."])
        #expect(
            state.handle(.typed("/expire off"), at: Self.now) == [.perform(.expire(conversation: "b2", seconds: 0))]
        )
        let system = #""kind":"system","system":{"event":"timer","expiresAfter":0}"#
        let changed = state.handle(.event(.message(try ChatSamples.message(1, "", system))), at: Self.now)
        #expect(changed.last == .perform(.refresh))
        _ = state.handle(.answer(.refresh, .known(try Self.people(contact))), at: Self.now)
        #expect(state.prompt.status.text == "── verified, in reach ──")
        let off = state.handle(.typed("/expire"), at: Self.now)
        #expect(off.texts == [" · New messages stay: disappearing messages are off."])
    }

    @Test("An empty conversation says what can be done, and each part of the help is shown")
    func firstSteps() throws {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        let people = try Self.people(#""trust":"unknown","reachable":true"#)
        let effects = state.handle(.answer(.open("Bob"), .opened(Self.bob, [], people)), at: Self.now)
        #expect(effects.texts.contains(" · No messages yet. \(ChatState.firstSteps)"))
        #expect(state.handle(.typed("/help"), at: Self.now) == [.show(ChatHelp.lines)])
        #expect(state.handle(.typed("/help more"), at: Self.now) == [.show(ChatHelp.more)])
        #expect(state.handle(.typed("/help vote"), at: Self.now) == [.show(ChatHelp.lines(of: .vote))])
    }

    @Test(
        "Decisions on trust are sentences without the names of states",
        arguments: [
            ("tofu", "Bob is accepted, but not verified."), ("verified", "Bob is verified."),
            ("blocked", "Bob is blocked."), ("unknown", "Bob is new: you have not accepted them."),
        ]
    )
    func decisions(trust: String, text: String) throws {
        let people = try Self.people(#""trust":"\#(trust)","reachable":true"#)
        let contact = try #require(people.contacts["b2"])
        #expect(TrustText.sentence(contact) == text)
    }
}
