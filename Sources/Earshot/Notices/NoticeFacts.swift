public import ChatCore
public import ChatCrypto
public import Foundation

/// What goes with a message, as a notice names it.
public enum NoticeFileKind: Hashable, Sendable {
    /// Files of any kind.
    case file
    /// Pictures alone.
    case picture
    /// Voice notes alone.
    case voice
}

/// All that the policy of notices has to know of a message that came.
public struct NoticeFacts: Hashable, Sendable {
    /// Which message.
    public var message: MessageID
    /// Where it came.
    public var conversation: ConversationID
    /// What it is to the user.
    public var kind: NoticeKind
    /// What its sender is called here.
    public var senderName: String
    /// What the group is called; nil for a direct conversation.
    public var groupTitle: String?
    /// Its text; empty if there are only files.
    public var text: String
    /// How many files go with it.
    public var fileCount: Int
    /// What all of them are.
    public var fileKind: NoticeFileKind
    /// When it came, by the same clock as ``mutedUntil``.
    public var receivedAt: Date
    /// Until when the user wants to hear nothing of the conversation.
    public var mutedUntil: Date?

    /// Writes the facts down.
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

    /// What a notice of it is about.
    var topic: NoticeTopic { kind == .request ? .requests : .conversation(conversation) }

    /// Whether it came while its conversation was muted.
    var isMuted: Bool { mutedUntil.map { receivedAt < $0 } ?? false }
}
