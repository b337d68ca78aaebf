public import ChatCrypto

/// One message of a conversation as users and programs see it.
public struct Message: Hashable, Sendable {
    /// The message's id, the same on both sides.
    public let id: MessageID
    /// The conversation it belongs to.
    public let conversation: ConversationID
    /// The author, as the session proves; never taken from the content.
    public let sender: PeerID
    /// The name of the sender here.
    public let senderName: String
    /// The text; empty if there are only files.
    public let text: String
    /// The files of the message.
    public package(set) var files: [MessageFile]
    /// The sender's clock when the message was written.
    public let sentTime: Timestamp
    /// This node's clock when the message arrived; for an outgoing message, when it was written.
    public let receivedTime: Timestamp
    /// Whether this node's user wrote it.
    public let isOutgoing: Bool
    /// Whether the message comes from an unknown peer that the user has not accepted.
    public let isRequest: Bool
    /// The delivery status; for an incoming message `delivered`.
    public let status: DeliveryStatus
    /// The kind of the message.
    public package(set) var kind = MessageKind.text
    /// The question and the votes, for a poll.
    public package(set) var poll: PollState?
    /// The event, for a system line.
    public package(set) var systemLine: SystemLine?
    /// The message that it answers.
    public package(set) var replyTo: Reply?
    /// The members named in the text.
    public package(set) var mentions: [Mention] = []
    /// The emoji on the message, by their bytes.
    public package(set) var reactions: [Reaction] = []
    /// The author's earlier texts, oldest first; empty if the message was never edited.
    public package(set) var earlierTexts: [EarlierText] = []
    /// Whether its author has deleted it; its content is removed then.
    public package(set) var isDeleted = false
    /// The time at which it disappears on this node; nil if it stays, or was not read here yet.
    public package(set) var expiryTime: Timestamp?
    /// The members who attest the message, if this node has not opened it itself, because it joined the group after the
    /// message was sent.
    ///
    /// They may have invented the message or its changes; they cannot do that to a message without attesters.
    public package(set) var vouchedBy: [Voucher] = []
    /// Whether it came from an export, which is the only evidence for it.
    public package(set) var isImported = false
}
