import ChatCrypto
import MeshCore
import SwiftProtobuf

/// Drafts, pins and limits of conversations, as the user sets them.
extension ChatEngine {
    // MARK: - Drafts

    /// What the user has begun to write in a conversation; empty for nothing.
    package func draft(in conversation: ConversationID) -> String { wishes[conversation].draft }

    /// Keeps what the user has begun to write.
    package mutating func setDraft(
        _ text: String,
        in conversation: ConversationID
    ) throws {
        try checkKnown(conversation)
        guard text.utf8.count <= ChatLimits.longTextByteCount else {
            var error = ChatError(.tooLarge, "A draft is at most 64 KiB.")
            error.limit = ChatLimits.longTextByteCount
            throw error
        }
        change(conversation) { $0.draft = text }
    }

    /// Forgets what the user had begun to write, for it was sent.
    mutating func clearDraft(in conversation: ConversationID) {
        guard !wishes[conversation].draft.isEmpty else { return }
        change(conversation) { $0.draft = "" }
    }

    // MARK: - Pins

    /// Pins a conversation, so that it stands before others, or lets it go.
    package mutating func pin(
        _ conversation: ConversationID,
        _ isPinned: Bool
    ) throws -> Conversation {
        guard let view = try view(of: conversation) else {
            throw ChatError(.notFound, "There is no conversation with this contact or group yet.")
        }
        guard view.isPinned != isPinned else { return view }
        let now = step.time.wall
        change(conversation) { $0.pinnedAt = isPinned ? now : 0 }
        let changed = try self.view(of: conversation) ?? view
        step.perform(.tell(.conversation(changed)))
        return changed
    }

    func isPinned(_ conversation: ConversationID) -> Bool { wishes[conversation].pinnedAt > 0 }

    // MARK: - Limits

    /// How much is kept of a conversation, or of all that have no limits of their own.
    package func retention(of conversation: ConversationID?) throws -> ConversationRetention {
        guard let conversation else {
            return ConversationRetention(retention: Retention(wishes.general), isOwn: false)
        }
        try checkKnown(conversation)
        let isOwn = wishes[conversation].limited
        return ConversationRetention(retention: wishes.retention(of: conversation), isOwn: isOwn)
    }

    /// Limits how much is kept of a conversation, or of all that have no limits of their own; nil takes a conversation's
    /// own limits away.
    package mutating func setRetention(
        _ retention: Retention?,
        of conversation: ConversationID?
    ) throws {
        if let conversation { try checkKnown(conversation) }
        try retention?.check()
        change(conversation) { record in
            record.limited = conversation != nil && retention != nil
            (retention ?? .everything).write(to: &record)
        }
        wishes.figures = [:]
        lookAtLimits(at: step.time.monotonic)
    }

    // MARK: - Records

    private mutating func change(
        _ conversation: ConversationID?,
        _ body: (inout ProtoWishRecord) -> Void
    ) {
        var record = wishes[conversation]
        body(&record)
        record.conversation = .bytes(conversation?.bytes ?? [])
        wishes[conversation] = record
        let name = conversation?.bytes ?? ProtoWishRecord.generalName
        if conversation != nil, record.isEmpty {
            step.delete(.wishes, name)
        } else {
            step.put(.wishes, name, record)
        }
    }

    /// Forgets all wishes of a conversation that goes.
    mutating func forgetWishes(of conversation: ConversationID) {
        wishes.figures[conversation] = nil
        wishes.due.remove(conversation)
        guard !wishes[conversation].isEmpty else { return }
        change(conversation) { $0 = ProtoWishRecord() }
    }

    mutating func restoreWishes() throws {
        for record in try step.records(.wishes, as: ProtoWishRecord.self) {
            if record.conversation.isEmpty {
                wishes[nil] = record
            } else if let conversation = ConversationID(bytes: record.conversation) {
                wishes[conversation] = record
            }
        }
    }

    private func checkKnown(_ conversation: ConversationID) throws {
        let isKnown =
            switch conversation {
            case .direct(let peer): conversations[peer] != nil || trust[peer] != nil
            case .group(let group), .room(let group): groups.states[group] != nil
            }
        guard isKnown else { throw ChatError(.notFound, "No contact or group of this name is known here.") }
    }
}
