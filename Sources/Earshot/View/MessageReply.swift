package import ChatCore
import ChatCrypto
package import Foundation

/// A message on the wire.
package struct MessageReply: Codable, Hashable, Sendable {
    /// Shape: 32 hexadecimal digits.
    package let id: String
    /// The conversation's id.
    package let conversation: String
    /// The peer id of the author.
    package let from: String
    /// The author's name here.
    package let fromName: String
    /// `text`, `emoji` for a single one, `image` or `voice` if all its files are such, `file` for other files without a
    /// text, `poll`, or `system` for a line about the conversation.
    package let kind: String
    /// The present text; empty for a poll, a system line, and a deleted message.
    package let text: String
    /// The question and the votes, for a poll.
    package let poll: PollReply?
    /// The event, for a system line.
    package let system: SystemReply?
    /// The attachments; absent for none.
    package let files: [FileReply]?
    /// The message that it answers.
    package let replyTo: ReplyReply?
    /// The emoji on it.
    package let reactions: [ReactionReply]
    /// The mentions in the text.
    package let mentions: [MentionReply]
    /// Whether its author has replaced the first text.
    package let edited: Bool
    /// The replaced texts, oldest first; absent for a message that was never edited.
    package let earlier: [EarlierReply]?
    /// Whether its author has deleted it.
    package let deleted: Bool
    /// The sender's clock.
    package let sentAt: Date
    /// This node's clock.
    package let receivedAt: Date
    /// The time at which it disappears here, if known.
    package let expiresAt: Date?
    /// The delivery status.
    package let status: String
    /// The reason why it will not arrive, for `failed`.
    package let reason: String?
    /// True if the status is that of a sample, in a large group: 12 of 16 randomly chosen members make a message delivered.
    ///
    /// Absent for all other messages.
    package let sampled: Bool?
    /// Whether this node's user wrote it or, for a system line, caused the event.
    package let outgoing: Bool
    /// Whether it comes from an unknown peer that the user has not accepted.
    package let request: Bool
    /// The attesters, for a message that was written to a group before this node joined; absent for all else.
    package let vouchedBy: [AttesterReply]?
    /// True for an imported message; absent for all else.
    package let imported: Bool?

    package init(_ message: Message) {
        id = message.id.description
        conversation = message.conversation.hex
        from = message.sender.description
        fromName = message.senderName
        kind = message.kind.rawValue
        text = message.text
        poll = message.poll.map(PollReply.init)
        system = message.systemLine.map(SystemReply.init)
        files = message.files.isEmpty ? nil : message.files.map(FileReply.init)
        replyTo = message.replyTo.map(ReplyReply.init)
        reactions = message.reactions.map(ReactionReply.init)
        mentions = message.mentions.map(MentionReply.init)
        edited = !message.earlierTexts.isEmpty
        earlier = message.earlierTexts.isEmpty ? nil : message.earlierTexts.map(EarlierReply.init)
        deleted = message.isDeleted
        sentAt = message.sentAt
        receivedAt = message.receivedAt
        expiresAt = message.expiresAt
        status = message.status.name
        reason = message.status.failureName
        sampled = message.isSampled ? true : nil
        outgoing = message.isOutgoing
        request = message.isRequest
        vouchedBy = message.attestedBy.isEmpty ? nil : message.attestedBy.map(AttesterReply.init)
        imported = message.isImported ? true : nil
    }
}

extension MessageReply {
    /// Whether this node sends it to others, so that its delivery status means something.
    ///
    /// Nobody sends a line of a group's log.
    package var isSent: Bool { outgoing && (system == nil || system?.event == "timer") }
}

/// A file of a message on the wire.
package struct FileReply: Codable, Hashable, Sendable {
    /// The sender's name for it, made safe.
    package let name: String
    /// The media type.
    package let type: String
    /// Units: bytes.
    package let size: UInt64
    /// Whether all of it is here.
    package let complete: Bool
    /// True if it is on its way, or comes when there is room; absent if it is here, or can be requested.
    package let expected: Bool?
    /// Units: pixels of a picture, as its sender says; absent for other files.
    package let width: Int?
    /// Units: pixels of a picture, as its sender says; absent for other files.
    package let height: Int?
    /// Units: seconds of a voice note, as its sender says; absent for other files.
    package let duration: Double?
    /// The waveform of a voice note in 64 bytes, as its sender says; absent for other files.
    package let peaks: Data?
    /// Whether a voice note is the first minute of something longer; absent for other files.
    package let cut: Bool?

    package init(_ file: MessageFile) {
        name = file.name
        type = file.type
        size = file.byteCount
        complete = file.isComplete
        expected = file.isExpected ? true : nil
        var image: ImageFacts?
        var voice: VoiceFacts?
        switch file.media {
        case .image(let facts): image = facts
        case .voice(let facts): voice = facts
        case nil: break
        }
        width = image?.width
        height = image?.height
        duration = voice.map { Double($0.milliseconds) / 1_000 }
        peaks = voice.map { Data($0.peaks) }
        cut = voice?.isCut
    }
}

extension DeliveryStatus {
    /// The reason why the message will not arrive, as programs read it.
    package var failureName: String? {
        guard case .failed(let failure) = self else { return nil }
        return failure.rawValue
    }
}
