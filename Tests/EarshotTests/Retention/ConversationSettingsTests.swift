import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

@Suite("Settings of conversations")
struct ConversationSettingsTests {
    private let conversation: ConversationID
    private let other: ConversationID

    init() throws {
        conversation = .direct(try TransferWorld.peer(1))
        other = .direct(try TransferWorld.peer(2))
    }

    @Test("Only what changed is handed out, once, and nothing is left of settings that were all taken back")
    func changes() {
        var settings = ConversationSettings()
        settings.setDraft("", of: conversation)
        settings.setPin(0, of: conversation)
        settings.forget(conversation)
        #expect(settings.takeChanges().isEmpty)
        settings.setDraft("Dear", of: conversation)
        settings.setPin(7, of: conversation)
        let changes = settings.takeChanges()
        #expect(changes.map(\.name) == [conversation.bytes])
        #expect(changes.first?.record?.draft == "Dear" && changes.first?.record?.pinnedAt == 7)
        #expect(settings.takeChanges().isEmpty)
        settings.setDraft("", of: conversation)
        settings.setPin(0, of: conversation)
        let ends = settings.takeChanges()
        #expect(ends.map(\.name) == [conversation.bytes] && ends.allSatisfy { $0.record == nil })
    }

    @Test("Own limits hold before those of all, and both are read back as they were written")
    func limits() throws {
        var settings = ConversationSettings()
        settings.setRetention(Retention(messageCount: 5), of: nil)
        settings.setRetention(.everything, of: conversation)
        #expect(settings.retention(of: conversation) == .everything)
        #expect(settings.retention(of: other) == Retention(messageCount: 5))
        var copy = ConversationSettings()
        for change in settings.takeChanges() { try change.record.map { try copy.restore($0) } }
        #expect(copy.generalRetention == Retention(messageCount: 5) && copy.takeChanges().isEmpty)
        #expect(copy.retention(of: conversation) == .everything)
        copy.setRetention(nil, of: conversation)
        #expect(copy.retention(of: conversation) == Retention(messageCount: 5))
    }

    @Test("Settings of no conversation are an error")
    func unreadable() {
        var stored = ProtoWishRecord()
        stored.conversation = .init([1, 2, 3])
        var settings = ConversationSettings()
        #expect(throws: ChatError.self) { try settings.restore(stored) }
    }

    @Test("A conversation that goes while it is to be checked leaves no check behind")
    func forgetting() {
        var schedule = RetentionSchedule()
        schedule.check([], at: .zero)
        #expect(schedule.nextCheck == .distantFuture)
        schedule.check([conversation], at: .zero)
        #expect(schedule.nextCheck == .zero && schedule.due == [conversation])
        schedule.forget(conversation)
        #expect(schedule.nextCheck == .distantFuture && schedule.due == [])
    }
}
