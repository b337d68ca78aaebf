import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Names of the user's own in a chat")
struct ChatNameTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func contact(_ name: String, _ more: String = "") throws -> ContactReply {
        let json = #"{"id":"b2","name":"\#(name)","trust":"verified","fingerprint":"","reachable":true\#(more)}"#
        return try RPCCoding.decode(ContactReply.self, from: Array(json.utf8))
    }

    @Test("A name is in the prompt at once; a mention completes to the name that the other chose")
    func naming() throws {
        var state = ChatState(hasStatusRow: true, zone: .gmt)
        let place = ChatConversation(id: "b2", kind: "direct", title: "Bob", own: "a1", members: ["b2": "Bob"])
        let people = ChatPeople(
            own: "a1",
            contacts: ["b2": try Self.contact("Bob")],
            conversations: ["b2": try ChatSamples.conversation("b2", "Bob")]
        )
        _ = state.handle(.answer(.open("Bob"), .opened(place, [], people)), at: Self.now)
        let asked = state.handle(.typed("/name Mum"), at: Self.now)
        #expect(asked == [.perform(.name("b2", "Mum"))])
        let named = try Self.contact("Mum", #","localName":"Mum","claimedName":"Bob""#)
        _ = state.handle(.event(.contact(named)), at: Self.now)
        #expect(state.prompt.label == "Mum> " && state.name(of: "b2") == "Mum")
        #expect(state.words.members == ["Bob"] && state.words.people == ["Mum"])
        let line = StyledLine(" · \(NameText.sentence(named))", .good)
        let told = state.handle(.answer(.name("b2", "Mum"), .reported([line])), at: Self.now)
        #expect(told.texts == [" · Mum is your name for Bob."] && told.last == .perform(.refresh))
    }

    @Test("A list of people shows both names, and a sentence says which name is shown")
    func texts() throws {
        let named = try Self.contact("Mum", #","localName":"Mum","claimedName":"Bob""#)
        #expect(ContactTable.lines([named], now: Self.now)[1].hasPrefix("Mum (Bob)  "))
        #expect(NameText.sentence(try Self.contact("Bob")) == "Bob is shown by their nickname.")
        // This peer has not stated a nickname.
        #expect(NameText.sentence(try Self.contact("Mum", #","localName":"Mum""#)) == "Mum is your name for b2.")
    }
}
