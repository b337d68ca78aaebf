public import ChatCrypto
public import Foundation

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
    public internal(set) var files: [MessageFile]
    /// The sender's clock when it was written.
    public let sentAt: Date
    /// This node's clock when it came; for an outgoing message, when it was written.
    public let receivedAt: Date
    /// Whether this node's user wrote it.
    public let isOutgoing: Bool
    /// Whether it comes from a stranger that the user has not accepted.
    public let isRequest: Bool
    /// How far it has come; for an incoming message `delivered`.
    public let status: DeliveryStatus
    /// What it is.
    public internal(set) var kind = MessageKind.text
    /// The question and the votes, for a poll.
    public internal(set) var poll: PollState?
    /// What happened, for a line of the system.
    public internal(set) var systemLine: SystemLine?
    /// The message that it answers.
    public internal(set) var replyTo: Reply?
    /// Who is named in the text.
    public internal(set) var mentions: [Mention] = []
    /// The emoji on it, by their bytes.
    public internal(set) var reactions: [Reaction] = []
    /// What its author had written before, oldest first; empty if it was never edited.
    public internal(set) var earlierTexts: [EarlierText] = []
    /// Whether its author has deleted it; nothing of it is left then.
    public internal(set) var isDeleted = false
    /// When it will be gone, on this node; nil if it stays, or nobody here has read it yet.
    public internal(set) var expiresAt: Date?
    /// On whose word it is shown, where this node has not opened it itself: who came to a group later than it was sent.
    ///
    /// Those may have made it up, or what was done to it; they cannot do that to a message that has none here.
    public internal(set) var vouchedBy: [Voucher] = []
    /// Whether it came from an export, which alone says that it is real.
    public internal(set) var isImported = false
}
