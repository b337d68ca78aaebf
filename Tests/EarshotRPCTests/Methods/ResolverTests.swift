import ChatCrypto
import Testing

@testable import ChatCore
@testable import Earshot
@testable import EarshotRPC

@Suite("The resolver of names")
struct ResolverTests {
    private func error(_ body: () throws(ChatError) -> PeerID) -> ChatError? {
        do throws(ChatError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("A member is found by name, id or the first eight digits of the id; an ambiguous name lists the candidates")
    func members() throws {
        let (alice, bob) = (try Samples.alice(), try Samples.bob())
        let people = [try Samples.contact("Al", id: alice), try Samples.contact("Al", id: bob)]
        let (group, room) = (try Samples.group(of: people), try Samples.room(of: people))
        for find in [room.member(named:), group.member(named:)] {
            #expect(try find("a1a1a1a1") == alice)
            #expect(try find(Samples.bobHex.uppercased()) == bob)
            #expect(error { () throws(ChatError) in try find("a1a1a1a") }?.code == .notFound)
            let ambiguous = error { () throws(ChatError) in try find("Al") }
            #expect(ambiguous?.code == .ambiguous && ambiguous?.candidates == [alice, bob])
        }
        #expect(try room.applicant(named: "Al") == alice)
        #expect(
            error { () throws(ChatError) in try room.applicant(named: "Bo") }?.reason
                == "Nobody called 'Bo' wants to join."
        )
    }

    @Test("A contact with a name of the user's own is found by it, and shows both names")
    func localNames() async throws {
        let node = try await ChatNode.alice()
        let bob = try await node.contacts.named("Bob").id
        let renamed = try await node.answer("contact.rename", #"{"peer":"Bob","name":"Mum"}"#)
        #expect(renamed.contains(#""claimedName":"Bob""#) && renamed.contains(#""localName":"Mum","name":"Mum""#))
        #expect(try await node.conversations.named("Mum").id == .direct(bob))
        for parameters in [#"{"peer":"Bob","name":"x"}"#, #"{"peer":"Mum","name":""}"#] {
            #expect(try await node.answer("contact.rename", parameters).contains(#""error""#))
        }
        let cleared = try await node.answer("contact.rename", #"{"peer":"Mum"}"#)
        #expect(cleared.contains(#""name":"Bob""#))
        #expect(!cleared.contains("claimedName") && !cleared.contains("localName"))
        // Two contacts of one name are told apart by their ids.
        _ = try await node.answer("contact.rename", #"{"peer":"Bob","name":"Carol"}"#)
        #expect(try await node.answer("contact.rename", #"{"peer":"Carol"}"#).contains("Several contacts"))
    }

    @Test("A conversation is found by a contact's name or id, by a group's id, and by a title after its kind")
    func conversations() async throws {
        let node = try await ChatNode.alice()
        let bob = try await node.contacts.named("Bob").id
        let group = try await node.conversations.createGroup(title: "Bob", members: [bob], history: .none).id
        #expect(try await node.conversations.named("Bob").id == .direct(bob))
        #expect(try await node.conversations.named(String(bob.description.prefix(8))).id == .direct(bob))
        #expect(try await node.conversations.named("group:Bob").id == .group(group))
        #expect(try await node.conversations.named("group:\(group.description.prefix(8))").id == .group(group))
        #expect(try await node.conversations.named(group.description).id == .group(group))
        await #expect(throws: ChatError.self) { try await node.conversations.named("room:Bob") }
        await #expect(throws: ChatError.self) { try await node.conversations.named("group:Rob") }
    }
}
