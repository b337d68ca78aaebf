public import ChatCore
public import ChatCrypto

/// What a notice is about; of each topic there is one notice at most.
public enum NoticeTopic: Hashable, Sendable {
    /// Messages of one conversation.
    case conversation(ConversationID)
    /// Strangers who want to write, all of them together.
    case requests
}

/// One notice as a screen shows it.
///
/// Both texts are one line of bounded length without anything that could command or reorder what shows them. They are
/// plain: whoever shows them where markup is understood has to escape them.
public struct Notice: Hashable, Sendable {
    /// What it is about.
    public let topic: NoticeTopic
    /// What the message that raised it is to the user.
    public let kind: NoticeKind
    /// The first line.
    public let title: String
    /// The second line.
    public let body: String
    /// Messages, or strangers, that it stands for.
    public let count: Int
    /// Where the newest message that it stands for came.
    public let conversation: ConversationID
    /// The newest message that it stands for.
    public let message: MessageID
}

/// What is to become of the notices on the screen.
public enum NoticeChange: Hashable, Sendable {
    /// Show it, in place of the one with its topic if there is one.
    case show(Notice)
    /// Take the one with this topic away.
    case withdraw(NoticeTopic)
}
