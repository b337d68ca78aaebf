import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("What a chat shows and does")
struct ChatStateTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Makes the state of a chat that has Bob's conversation open.
    private func opened(statusRow: Bool = true, unread: Int = 0, _ messages: [MessageReply] = []) throws -> ChatState {
        var state = ChatState(hasStatusRow: statusRow, zone: .gmt)
        let people = ChatPeople(
            own: "a1",
            contacts: ["b2": try ChatSamples.contact("b2", "Bob"), "c3": try ChatSamples.contact("c3", "Carol")],
            conversations: [
                "b2": try ChatSamples.conversation("b2", "Bob", unread: unread),
                "c3": try ChatSamples.conversation("c3", "Carol"),
            ]
        )
        let place = ChatConversation(id: "b2", kind: "direct", title: "Bob", own: "a1", members: ["b2": "Bob"])
        _ = state.handle(.answer(.open("Bob"), .opened(place, messages, people)), at: Self.now)
        return state
    }

    @Test("A message of the open conversation is shown with who, when and its number, and counts as read")
    func incoming() throws {
        var state = try opened()
        let effects = state.handle(.event(.message(try ChatSamples.message(1, "Hi \u{1B}[2J"))), at: Self.now)
        #expect(
            effects.texts == ["     Bob  08:00", "   1 │ Hi \\u{1b}[2J"] && effects.last == .perform(.markRead("b2"))
        )
        let next = state.handle(.event(.message(try ChatSamples.message(2, "two\nlines"))), at: Self.now)
        #expect(next.texts == ["   2 │ two", "     │ lines"])
        let again = state.handle(.event(.message(try ChatSamples.message(1, "Hi"))), at: Self.now)
        #expect(again == [])
    }

    @Test("A message of another conversation is told once, and stands above the prompt")
    func elsewhere() throws {
        var state = try opened()
        let first = state.handle(.event(.message(try ChatSamples.message(1, "Hi", from: "c3"))), at: Self.now)
        #expect(
            first.texts == [" · Carol has written to you. Use /dm to read it."] && first.first == .perform(.refresh)
        )
        let second = state.handle(.event(.message(try ChatSamples.message(2, "Hi", from: "c3"))), at: Self.now)
        #expect(second == [])
        #expect(state.prompt.status.text == "── verified, in reach, 2 hops ── unread: Carol 2 ──")
        let unknownPeer = try ChatSamples.message(3, "psst", from: "d4d4d4d4d4", #""request":true"#)
        let asked = state.handle(.event(.message(unknownPeer)), at: Self.now)
        #expect(
            asked.texts == [
                " · Somebody, who is not in your contacts, wants to talk: /dm d4d4d4d4 to read, then /trust accept d4d4d4d4 or /trust block d4d4d4d4."
            ]
        )
    }

    @Test("A message that the node counts before its event comes is told, and counts once when the node is asked again")
    func countedBefore() throws {
        var state = try opened()
        var people = state.people
        people.conversations["c3"] = try ChatSamples.conversation("c3", "Carol", unread: 1)
        _ = state.handle(.answer(.refresh, .known(people)), at: Self.now)
        let reported = state.handle(.event(.message(try ChatSamples.message(1, "Hi", from: "c3"))), at: Self.now)
        #expect(
            reported.first == .perform(.refresh)
                && reported.texts == [" · Carol has written to you. Use /dm to read it."]
        )
        // Many messages arrive while the node's answer is pending; only one more question follows it.
        for _ in 2...9 {
            let more = state.handle(.event(.message(try ChatSamples.message(2, "Hi", from: "c3"))), at: Self.now)
            #expect(more == [])
        }
        people.conversations["c3"] = try ChatSamples.conversation("c3", "Carol", unread: 2)
        let again = state.handle(.answer(.refresh, .known(people)), at: Self.now)
        #expect(again == [.perform(.refresh)])
        #expect(state.handle(.answer(.refresh, .known(people)), at: Self.now) == [])
        #expect(state.prompt.status.text == "── verified, in reach, 2 hops ── unread: Carol 2 ──")
        // After the user has read the conversation, the next message notifies again.
        people.conversations["c3"] = try ChatSamples.conversation("c3", "Carol")
        _ = state.handle(.answer(.refresh, .known(people)), at: Self.now)
        let next = state.handle(.event(.message(try ChatSamples.message(3, "Hi", from: "c3"))), at: Self.now)
        #expect(next.texts == [" · Carol has written to you. Use /dm to read it."])
    }

    @Test("How far an own message has come is drawn in its place and stands above the prompt")
    func statuses() throws {
        var state = try opened()
        let message = try ChatSamples.message(1, "Hi", from: "a1")
        #expect(
            state.handle(.event(.message(message)), at: Self.now).texts == ["     you  08:00", "   1 ┃ Hi  ○ queued"]
        )
        let id = message.id
        let sent = state.handle(.event(.status(message: id, status: "carried", reason: nil)), at: Self.now)
        guard case .redraw(id, let lines) = sent.first else { return #expect(Bool(false), "\(sent)") }
        #expect(lines.map(\.text) == ["   1 ┃ Hi  ◑ carried"])
        #expect(state.prompt.status.text.contains("waiting to be accepted"))
        let failed = state.handle(.event(.status(message: id, status: "failed", reason: "refused")), at: Self.now)
        #expect(failed.texts == [" · 1 ✗ failed: refused"])
        var plain = try opened(statusRow: false)
        _ = plain.handle(.event(.message(message)), at: Self.now)
        #expect(plain.handle(.event(.status(message: id, status: "sent", reason: nil)), at: Self.now) == [])
        let read = plain.handle(.event(.status(message: id, status: "read", reason: nil)), at: Self.now)
        #expect(read.texts == [" · 1 ✓✓ read"])
    }

    @Test("A message to a contact who never answered waits to be accepted, until the contact acknowledges anything")
    func waiting() throws {
        var state = try opened([try ChatSamples.message(1, "Hi", from: "a1", #""status":"carried""#)])
        #expect(state.prompt.status.text == "── verified, in reach, 2 hops ── waiting to be accepted ──")
        let first = ChatSamples.id(1)
        _ = state.handle(.event(.status(message: first, status: "delivered", reason: nil)), at: Self.now)
        #expect(state.prompt.status.text.contains("1 ✓ delivered"))
        let second = try ChatSamples.message(2, "There?", from: "a1", #""status":"carried""#)
        _ = state.handle(.event(.message(second)), at: Self.now)
        #expect(state.prompt.status.text.contains("2 ◑ carried"))
        let known = try opened([try ChatSamples.message(1, "Hi"), second])
        #expect(known.prompt.status.text.contains("2 ◑ carried"))
    }

    @Test(
        "Every status has a mark",
        arguments: [
            ("queued", "○ queued"), ("sent", "◌ sent"), ("carried", "◑ carried"), ("delivered", "✓ delivered"),
            ("read", "✓✓ read"), ("failed", "✗ failed: expired"), ("later\u{1B}", "later\\u{1b}"),
        ]
    )
    func marks(status: String, text: String) {
        let reason = status == "failed" ? "expired" : nil
        #expect(StatusMark.text(status, reason: reason) == text)
        let isReceived = status == "delivered" || status == "read"
        #expect(StatusMark.text(status, reason: reason, isSampled: true) == text + (isReceived ? " (sampled)" : ""))
    }

    @Test("Edits, reactions, votes and deletions are told by the number of the message")
    func changes() throws {
        var state = try opened()
        let poll =
            #""poll":{"question":"Tea?","options":[{"text":"yes","votes":[]},{"text":"no","votes":[]}],"multiple":false,"mayChange":true,"closed":false}"#
        _ = state.handle(.event(.message(try ChatSamples.message(1, "Hi"))), at: Self.now)
        let shown = state.handle(.event(.message(try ChatSamples.message(2, "", poll))), at: Self.now)
        #expect(
            shown.texts == [
                "   2 │ Tea?  (choose one)", "     │ 1 yes  ░░░░░░░░░░░░░░░░ 0", "     │ 2 no   ░░░░░░░░░░░░░░░░ 0",
            ]
        )
        func changed(_ number: Int, _ text: String, _ rest: String) throws -> [String] {
            state.handle(.event(.changed(try ChatSamples.message(number, text, rest))), at: Self.now).texts
        }
        #expect(try changed(1, "Hello", #""edited":true"#) == [" · Bob edited 1: Hello"])
        let liked = #""edited":true,"reactions":[{"emoji":"👍","from":["a1","b2"]}]"#
        #expect(try changed(1, "Hello", liked) == [" · 👍 on message 1", " · Bob: 👍 on message 1"])
        let less = #""edited":true,"reactions":[{"emoji":"👍","from":["b2"]}]"#
        #expect(try changed(1, "Hello", less) == [" · 👍 removed from message 1"])
        let votes = poll.replacing(#""yes","votes":[]"#, with: #""yes","votes":["a1","b2"]"#)
            .replacing(#""no","votes":[]"#, with: #""no","votes":["c3"]"#)
        #expect(
            try changed(2, "", votes) == [
                " · Poll 2 has votes:", "     Tea?  (choose one)", "     1 yes  ████████████████ 2 ← you",
                "     2 no   ████████░░░░░░░░ 1",
            ]
        )
        #expect(
            try changed(2, "", votes.replacing(#""closed":false"#, with: #""closed":true"#))[0]
                == " · Poll 2 is closed:"
        )
        #expect(try changed(1, "", #""deleted":true"#) == [" · Message 1 is deleted by Bob."])
        #expect(try changed(9, "x", #""edited":true"#) == [])
    }

    @Test("Commands name messages by their numbers, and what has none is told")
    func commands() throws {
        var state = try opened()
        _ = state.handle(.event(.message(try ChatSamples.message(1, "Hi"))), at: Self.now)
        _ = state.handle(.event(.message(try ChatSamples.message(2, "mine", from: "a1"))), at: Self.now)
        let (first, second) = (ChatSamples.id(1), ChatSamples.id(2))
        for (line, effect) in [
            ("Hello", .perform(.say("Hello", to: "b2", replyTo: nil))),
            ("/reply 1 Yes", .perform(.say("Yes", to: "b2", replyTo: first))),
            ("/react 1 :+1:", .perform(.react(first, emoji: "👍"))),
            ("/delete 1", .perform(.delete(first, forEveryone: false))),
            ("/delete 2", .perform(.delete(second, forEveryone: true))),
            ("/edit 2 better", .perform(.edit(second, "better"))),
            ("/trust block", .perform(.trust("b2", action: "block"))),
            ("/more", .perform(.older(conversation: "b2", before: first))), ("/quit", .quit),
            ("/delete 3", ChatState.mistake("No message has the number 3.")),
            ("/vote 1 1", ChatState.mistake("Message 1 is not a poll.")),
            ("/save 1", ChatState.mistake("Message 1 has no attachments.")),
            ("/room admit Fox", ChatState.mistake("Open the room first: /dm room:TITLE.")),
        ] as [(String, EarshotCLI.ChatEffect)] {
            #expect(state.handle(.typed(line), at: Self.now) == [effect], "\(line)")
        }
        var nowhere = ChatState(hasStatusRow: true, zone: .gmt)
        #expect(
            nowhere.handle(.typed("Hello"), at: Self.now)
                == [ChatState.mistake("No conversation is open. /dm WHO opens one, /who lists them.")]
        )
    }

    @Test("Pictures are asked for where there are some to be seen, and nowhere else", arguments: [true, false])
    func pictures(areShown: Bool) throws {
        var state = ChatState(hasStatusRow: true, showsPictures: areShown, zone: .gmt)
        let place = ChatConversation(id: "b2", kind: "direct", title: "Bob", own: "a1", members: ["b2": "Bob"])
        _ = state.handle(.answer(.open("Bob"), .opened(place, [], ChatPeople(own: "a1"))), at: Self.now)
        for (number, isHere) in [(1, true), (2, false)] {
            let file = #""files":[{"name":"a.png","size":9,"type":"image/png","complete":\#(isHere)}]"#
            let message = try ChatSamples.message(number, "", file)
            let request = EarshotCLI.ChatEffect.perform(.picture(message: message.id, index: 0))
            let came = state.handle(.event(.message(message)), at: Self.now)
            #expect(came.contains(request) == (areShown && isHere))
            let whole = RPCEvent.progress(message: message.id, index: 0, byteCount: 9, total: 9)
            #expect(state.handle(.event(whole), at: Self.now).contains(request) == areShown)
            let heading = state.lastHeading?.at
            let complete = try ChatSamples.message(number, "", file.replacing("false", with: "true"))
            #expect(state.handle(.event(.changed(complete)), at: Self.now) == [])
            #expect(heading != nil && state.lastHeading?.at == heading)
        }
    }

    @Test("Typing is told at most every three seconds, and forgotten when somebody has said something")
    func typing() throws {
        var state = try opened()
        #expect(state.handle(.typing, at: Self.now) == [.perform(.typing("b2"))])
        #expect(state.handle(.typing, at: Self.now.addingTimeInterval(2.9)) == [])
        #expect(state.handle(.typing, at: Self.now.addingTimeInterval(3)) == [.perform(.typing("b2"))])
        let sign = RPCEvent.typing(conversation: "b2", by: "b2", active: true)
        #expect(state.handle(.event(sign), at: Self.now) == [.tick(after: 7)])
        #expect(state.prompt.status.text.contains("Bob types…"))
        _ = state.handle(.tick, at: Self.now.addingTimeInterval(6))
        #expect(!state.prompt.status.text.contains("types"))
    }

    @Test("The end of an answer that is being made stands above the prompt until the answer has come")
    func streamingReply() throws {
        var state = try opened()
        let question = try ChatSamples.message(1, "Well?", from: "a1")
        _ = state.handle(.event(.message(question)), at: Self.now)
        func token(_ text: String, _ message: String, in conversation: String = "b2") -> ChatInput {
            .event(.token(conversation: conversation, by: "b2", message: message, text: text))
        }
        #expect(state.handle(token("of another", "ff"), at: Self.now) == [])
        _ = state.handle(token("elsewhere, another", question.id, in: "c3"), at: Self.now)
        #expect(!state.prompt.status.text.contains("another"))
        let text = String(repeating: "x", count: 60) + "\u{1B}[2J\nend"
        _ = state.handle(token(text, question.id), at: Self.now)
        #expect(state.prompt.status.text.contains("to 1: …xxx"))
        #expect(state.prompt.status.text.contains("x\\u{1b}[2J end ──"))
        let answer = try ChatSamples.message(2, "whole", #""replyTo":{"message":"\#(question.id)"}"#)
        _ = state.handle(.event(.message(answer)), at: Self.now)
        #expect(!state.prompt.status.text.contains("to 1"))
        _ = state.handle(token("again", question.id), at: Self.now)
        #expect(state.prompt.status.text.contains("to 1: again"))
        _ = state.handle(.event(.message(try ChatSamples.message(3, "The model failed."))), at: Self.now)
        #expect(!state.prompt.status.text.contains("to 1"))
    }

    @Test("Of several answers that are being made the first is shown, but one to an own message before all others")
    func growingAnswers() throws {
        var state = try opened()
        let here = #""conversation":"b2""#
        let questions = [
            try ChatSamples.message(1, "Mine?", from: "a1"), try ChatSamples.message(2, "Theirs?", from: "c3", here),
            try ChatSamples.message(3, "Others'?", from: "d4", here),
        ]
        for question in questions { _ = state.handle(.event(.message(question)), at: Self.now) }
        func shown(_ place: Int, _ text: String) -> String {
            let token = RPCEvent.token(conversation: "b2", by: "b2", message: questions[place].id, text: text)
            _ = state.handle(.event(token), at: Self.now)
            return state.prompt.status.text
        }
        #expect(shown(1, "so").contains("to 2: so"))
        #expect(shown(2, "late").contains("to 2: so") && shown(1, "so far").contains("to 2: so far"))
        #expect(shown(0, "mine").contains("to 1: mine") && shown(1, "so far on").contains("to 1: mine"))
        // A message from another sender is not the answer.
        _ = state.handle(.event(.message(try ChatSamples.message(4, "Hm.", from: "c3", here))), at: Self.now)
        #expect(state.prompt.status.text.contains("to 1: mine"))
    }

    @Test("While all is hidden or locked nothing of what is said reaches the screen")
    func hidden() throws {
        var state = try opened()
        #expect(state.handle(.typed("/hide"), at: Self.now) == [.clear])
        #expect(state.handle(.event(.message(try ChatSamples.message(1, "secret"))), at: Self.now) == [])
        #expect(state.prompt.status.text == "── hidden: /show ── 1 new ──" && state.prompt.label == "> ")
        #expect(state.handle(.typed(""), at: Self.now) == [.perform(.open("b2"))])
        #expect(state.handle(.event(.locked), at: Self.now) == [.clear, .forgetTyped])
        #expect(state.prompt.isSecret && state.prompt.label == "Passphrase: ")
        #expect(state.handle(.event(.message(try ChatSamples.message(2, "secret"))), at: Self.now) == [])
        #expect(state.handle(.typed("/quit now"), at: Self.now) == [.perform(.unlock("/quit now"))])
        #expect(state.handle(.answer(.unlock(""), .unlocked), at: Self.now) == [.perform(.open("b2"))])
        #expect(!state.prompt.isSecret)
    }

    @Test("A conversation is opened with its history, and a line before what is new")
    func opening() throws {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        let place = ChatConversation(id: "b2", kind: "direct", title: "Bob", own: "a1")
        var people = ChatPeople(own: "a1", conversations: ["b2": try ChatSamples.conversation("b2", "Bob", unread: 1)])
        people.conversations["c3"] = try ChatSamples.conversation("c3", "Carol", unread: 3)
        let messages = [try ChatSamples.message(1, "old"), try ChatSamples.message(2, "new")]
        let effects = state.handle(.answer(.open("Bob"), .opened(place, messages, people)), at: Self.now)
        #expect(
            effects.texts == [
                "── Bob ──", "     Bob  08:00", "   1 │ old", "── 1 new ──", "   2 │ new",
                " · Unread elsewhere: Carol 3",
            ]
        )
        #expect(effects.last == .perform(.markRead("b2")))
        #expect(state.handle(.event(.lagged(dropped: 3)), at: Self.now) == [.perform(.catchUp("b2"))])
        let missed = messages + [try ChatSamples.message(3, "missed")]
        people.conversations["b2"] = try ChatSamples.conversation("b2", "Bob")
        let caught = state.handle(.answer(.catchUp("b2"), .opened(place, missed, people)), at: Self.now)
        #expect(caught.texts == ["     Bob  08:00", "   3 │ missed"])
    }

    @Test("Numbers are kept for so many messages, and stay what they were")
    func numbered() throws {
        var numbered = NumberedMessages()
        #expect(numbered.number(of: try ChatSamples.message(1, "a")) == 1)
        for number in 2...NumberedMessages.messageCount {
            _ = numbered.number(of: try ChatSamples.message(number, "x"))
        }
        #expect(numbered.number(of: try ChatSamples.message(1, "b")) == 1 && numbered[1]?.text == "b")
        #expect(numbered.number(of: try ChatSamples.message(0, "more")) == NumberedMessages.messageCount + 1)
        #expect(numbered[1] == nil && numbered.number(of: ChatSamples.id(1)) == nil && numbered[2]?.text == "x")
    }
}

/// Replies of nodes, for tests.
enum ChatSamples {
    static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// Makes a message in the conversation with its sender, or in Bob's if this node is the sender.
    static func message(_ number: Int, _ text: String, from: String = "b2", _ rest: String = "") throws -> MessageReply
    {
        let names = ["a1": "Alice", "b2": "Bob", "c3": "Carol"]
        let usual: [(String, Any)] = [
            ("id", id(number)), ("conversation", from == "a1" ? "b2" : from), ("from", from),
            ("fromName", names[from] ?? "Somebody"), ("kind", "text"), ("text", text), ("reactions", [String]()),
            ("mentions", [String]()), ("edited", false), ("deleted", false), ("sentAt", "2027-01-15T08:00:00.000Z"),
            ("receivedAt", "2027-01-15T08:00:00.000Z"), ("status", "queued"), ("outgoing", from == "a1"),
            ("request", false),
        ]
        var fields = Dictionary(uniqueKeysWithValues: usual)
        let special = try JSONSerialization.jsonObject(with: Data("{\(rest)}".utf8)) as? [String: Any]
        fields.merge(special ?? [:]) { $1 }
        return try RPCCoding.decode(MessageReply.self, from: Array(try JSONSerialization.data(withJSONObject: fields)))
    }

    static func contact(_ id: String, _ name: String) throws -> ContactReply {
        let json = #"{"id":"\#(id)","name":"\#(name)","trust":"verified","fingerprint":"","reachable":true,"hops":2}"#
        return try RPCCoding.decode(ContactReply.self, from: Array(json.utf8))
    }

    static func conversation(_ id: String, _ title: String, unread: Int = 0) throws -> ConversationReply {
        let json =
            #"{"id":"\#(id)","kind":"direct","title":"\#(title)","members":["\#(id)"],"unread":\#(unread),"request":false}"#
        return try RPCCoding.decode(ConversationReply.self, from: Array(json.utf8))
    }
}

extension [EarshotCLI.ChatEffect] {
    /// The lines on the screen, without their style.
    var texts: [String] {
        flatMap { effect -> [String] in
            switch effect {
            case .show(let lines), .showMessage(_, let lines): lines.map(\.text)
            case .refuse(let failure): ["✗ \(failure.message)"]
            default: []
            }
        }
    }
}
