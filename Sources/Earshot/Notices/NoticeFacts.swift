public import ChatCore
public import ChatCrypto
public import Foundation

/// The kind of a message's files, as a notice names it.
public enum NoticeFileKind: String, Hashable, Codable, Sendable {
    /// Files of any kind.
    case file
    /// Pictures alone.
    case picture
    /// Voice notes alone.
    case voice
}

/// The facts of a received message that the policy of notices needs.
public struct NoticeFacts: Hashable, Identifiable, Codable, Sendable {
    /// The message.
    public var message: MessageID
    /// The conversation.
    public var conversation: ConversationID
    /// The kind of the message.
    public var kind: NoticeKind
    /// The sender's name here.
    public var senderName: String
    /// The group's title; nil for a direct conversation.
    public var groupTitle: String?
    /// Its text; empty if there are only files.
    public var text: String
    /// The number of files.
    public var fileCount: Int
    /// The kind of all files.
    public var fileKind: NoticeFileKind
    /// The time at which it came, by the same clock as ``mutedUntil``.
    public var receivedAt: Date
    /// The time until which the conversation is muted.
    public var mutedUntil: Date?
    /// The message.
    public var id: MessageID { message }

    /// Makes the facts of a message.
    public init(
        message: MessageID,
        conversation: ConversationID,
        kind: NoticeKind,
        senderName: String,
        groupTitle: String? = nil,
        text: String,
        fileCount: Int = 0,
        fileKind: NoticeFileKind = .file,
        receivedAt: Date,
        mutedUntil: Date? = nil
    ) {
        self.message = message
        self.conversation = conversation
        self.kind = kind
        self.senderName = senderName
        self.groupTitle = groupTitle
        self.text = text
        self.fileCount = fileCount
        self.fileKind = fileKind
        self.receivedAt = receivedAt
        self.mutedUntil = mutedUntil
    }

    /// The topic of a notice about the message.
    var topic: NoticeTopic { kind == .request ? .requests : .conversation(conversation) }

    /// Whether the message came while its conversation was muted.
    var isMuted: Bool { mutedUntil.map { receivedAt < $0 } ?? false }
}
