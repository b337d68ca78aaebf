import ChatCrypto
import MeshCore
import SwiftProtobuf

/// The drafts, pins and limits of conversations, as the user sets them.
extension ChatEngine {
    // MARK: - Drafts

    /// Returns the text that the user has begun to write in a conversation; empty for none.
    package func draft(in conversation: ConversationID) -> String { settings[conversation].draft }

    /// Keeps the text that the user has begun to write.
    package mutating func setDraft(
        _ text: String,
        in conversation: ConversationID
    ) throws {
        try checkKnown(conversation)
        guard text.utf8.count <= ChatLimits.longTextByteCount else {
            var error = ChatError(.tooLarge, "A draft has at most 64 KiB.")
            error.limit = ChatLimits.longTextByteCount
            throw error
        }
        settings.setDraft(text, of: conversation)
    }

    /// Clears the draft, because it was sent.
    mutating func clearDraft(in conversation: ConversationID) {
        settings.setDraft("", of: conversation)
    }

    // MARK: - Pins

    /// Pins a conversation, so that lists show it before others, or unpins it.
    package mutating func pin(
        _ conversation: ConversationID,
        _ isPinned: Bool
    ) throws -> Conversation {
        let view = try listed(conversation)
        guard view.isPinned != isPinned else { return view }
        settings.setPin(isPinned ? step.time.wall : 0, of: conversation)
        let changed = try self.view(of: conversation) ?? view
        step.perform(.notify(.conversation(changed)))
        return changed
    }

    func isPinned(_ conversation: ConversationID) -> Bool { settings[conversation].pinnedAt > 0 }

    // MARK: - Limits

    /// Returns the limits of a conversation, or of all that have no limits of their own.
    package func retention(of conversation: ConversationID?) throws -> ConversationRetention {
        guard let conversation else {
            return ConversationRetention(retention: settings.generalRetention, isOwn: false)
        }
        try checkKnown(conversation)
        let isOwn = settings[conversation].retention != nil
        return ConversationRetention(retention: settings.retention(of: conversation), isOwn: isOwn)
    }

    /// Limits a conversation, or all that have no limits of their own; nil removes a conversation's own limits.
    package mutating func setRetention(
        _ retention: Retention?,
        of conversation: ConversationID?
    ) throws {
        if let conversation { try checkKnown(conversation) }
        try retention?.check()
        settings.setRetention(retention, of: conversation)
        retentionSchedule.forgetStatistics()
        checkLimits(at: step.time.monotonic)
    }

    // MARK: - Records

    /// Forgets all settings of a removed conversation.
    mutating func forgetSettings(of conversation: ConversationID) {
        retentionSchedule.forget(conversation)
        settings.forget(conversation)
    }

    mutating func restoreSettings() throws {
        for record in try step.records(.conversationSettings, as: ProtoWishRecord.self) { try settings.restore(record) }
    }

    private func checkKnown(_ conversation: ConversationID) throws {
        guard conversations[conversation] == nil else { return }
        if case .direct(let peer) = conversation, trust[peer] != nil { return }
        throw ChatError(.notFound, "No contact or group has this name.")
    }

    // MARK: - Mutes

    /// Mutes a conversation until a moment.
    package mutating func mute(
        _ conversation: ConversationID,
        until: Timestamp
    ) throws -> Conversation {
        let before = try listed(conversation)
        conversations.mute(conversation, until: until.milliseconds)
        let muted = try view(of: conversation) ?? before
        step.perform(.notify(.conversation(muted)))
        return muted
    }

    /// Returns the end of a mute, by the time in a conversation's record; nil if it is over.
    func muteEnd(_ mutedUntil: UInt64) -> Timestamp? {
        mutedUntil > step.time.wall ? Timestamp(clamping: mutedUntil) : nil
    }
}
