import ChatCrypto
import Testing

@testable import ChatCore

@Suite("Conversations")
struct ConversationsTests {
    private static let conversation = ConversationID.direct(Identity().publicIdentity.id)

    @Test("A record with the highest numbers is taken up, counts on, and is written once for all changes of a step")
    func highestNumbers() throws {
        var stored = ProtoConversationRecord()
        stored.id = .init(Self.conversation.bytes)
        (stored.nextOrder, stored.expectedOrder, stored.unread, stored.received) = (.max, .max, .max, .max)
        var conversations = Conversations()
        conversations.restore(try ConversationRecord(stored))
        conversations.append(to: Self.conversation, isUnread: true, at: 5)
        conversations.noteReceived(Self.conversation)
        conversations.noteShown(ChatLimits.maximumOrder, in: Self.conversation)
        conversations.noteSent(Self.conversation)
        let written = conversations.takeChanges()
        #expect(written.map(\.name) == [Self.conversation.bytes])
        let record = try #require(written.first?.record)
        #expect(record == conversations[Self.conversation]?.stored)
        #expect(record.unread == ChatLimits.maximumOrder + 1)
        #expect(record.nextOrder == ChatLimits.maximumOrder + 1)
        #expect(record.changedAt == 5)
        #expect(conversations.takeChanges().isEmpty)
    }

    @Test("A record that names no conversation is an error")
    func noName() {
        let error = #expect(throws: ChatError.self) { try ConversationRecord(ProtoConversationRecord()) }
        #expect(error?.code == .homeCorrupt)
    }

    @Test("A conversation that goes is deleted from the store, and its positions are read anew")
    func removal() throws {
        var conversations = Conversations()
        #expect(try conversations.takePosition(Self.conversation, after: 41) == 42)
        #expect(conversations.newestPosition(Self.conversation) == 42)
        conversations.touch(Self.conversation, at: 1)
        conversations.remove(Self.conversation)
        #expect(conversations.newestPosition(Self.conversation) == nil)
        let written = conversations.takeChanges()
        #expect(written.count == 1 && written[0].record == nil)
    }
}
