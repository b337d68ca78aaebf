public import ChatCore
public import ChatCrypto

/// The topic of a notice; of each topic there is one notice at most.
public enum NoticeTopic: Hashable, Codable, Sendable {
    /// Messages of one conversation.
    case conversation(ConversationID)
    /// Unknown peers that want to write, all of them together.
    case requests
}

/// One notice as a screen shows it.
///
/// Both texts are one line of bounded length, and contain nothing that could command or reorder what shows them. They
/// are plain text: a program that shows them as markup has to escape them.
public struct Notice: Hashable, Identifiable, Codable, Sendable {
    /// The topic.
    public let topic: NoticeTopic
    /// The kind of the message that raised it.
    public let kind: NoticeKind
    /// The first line.
    public let title: String
    /// The second line.
    public let body: String
    /// Messages, or unknown peers, that it counts.
    public let count: Int
    /// The conversation of the newest message that it counts.
    public let conversation: ConversationID
    /// The newest message that it counts.
    public let message: MessageID
    /// The topic, of which there is one notice.
    public var id: NoticeTopic { topic }

    /// Makes a notice from its parts; the caller bounds and cleans both texts.
    public init(
        topic: NoticeTopic,
        kind: NoticeKind,
        title: String,
        body: String = "",
        count: Int = 1,
        conversation: ConversationID,
        message: MessageID
    ) {
        self.topic = topic
        self.kind = kind
        self.title = title
        self.body = body
        self.count = count
        self.conversation = conversation
        self.message = message
    }
}

/// A change of the notices on the screen.
public enum NoticeChange: Hashable, Codable, Sendable {
    /// A notice to show, in place of the one with its topic if there is one.
    case show(Notice)
    /// The topic of a notice to remove.
    case withdraw(NoticeTopic)
}
