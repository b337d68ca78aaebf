public import ChatCrypto

/// One message of a conversation as people and programs see it.
public struct Message: Hashable, Sendable {
    /// The message's name, the same on both sides.
    public let id: MessageID
    /// The conversation it belongs to.
    public let conversation: ConversationID
    /// Who wrote it, as the session proves; never taken from the content.
    public let sender: PeerID
    /// What the sender is called here.
    public let senderName: String
    /// The text; empty if there are only files.
    public let text: String
    /// What goes with it.
    public package(set) var files: [MessageFile]
    /// The sender's clock when it was written.
    public let sentTime: Timestamp
    /// This node's clock when it came; for an outgoing message, when it was written.
    public let receivedTime: Timestamp
    /// Whether this node's user wrote it.
    public let isOutgoing: Bool
    /// Whether it comes from a stranger that the user has not accepted.
    public let isRequest: Bool
    /// How far it has come; for an incoming message `delivered`.
    public let status: DeliveryStatus
    /// What it is.
    public package(set) var kind = MessageKind.text
    /// The question and the votes, for a poll.
    public package(set) var poll: PollState?
    /// What happened, for a line of the system.
    public package(set) var systemLine: SystemLine?
    /// The message that it answers.
    public package(set) var replyTo: Reply?
    /// Who is named in the text.
    public package(set) var mentions: [Mention] = []
    /// The emoji on it, by their bytes.
    public package(set) var reactions: [Reaction] = []
    /// What its author had written before, oldest first; empty if it was never edited.
    public package(set) var earlierTexts: [EarlierText] = []
    /// Whether its author has deleted it; nothing of it is left then.
    public package(set) var isDeleted = false
    /// When it will be gone, on this node; nil if it stays, or nobody here has read it yet.
    public package(set) var expiryTime: Timestamp?
    /// On whose word it is shown, where this node has not opened it itself: who came to a group later than it was sent.
    ///
    /// Those may have made it up, or what was done to it; they cannot do that to a message that has none here.
    public package(set) var vouchedBy: [Voucher] = []
    /// Whether it came from an export, which alone says that it is real.
    public package(set) var isImported = false
}
