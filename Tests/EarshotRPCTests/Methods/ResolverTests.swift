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
