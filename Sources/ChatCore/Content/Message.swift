public import ChatCrypto

/// One message of a conversation as users and programs see it.
public struct Message: Hashable, Identifiable, Codable, Sendable {
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
    /// Whether this node's user wrote it or, for a system line, caused the event.
    public let isOutgoing: Bool
    /// Whether the message comes from an unknown peer that the user has not accepted.
    public let isRequest: Bool
    /// The delivery status; for an incoming message `delivered`.
    public let status: DeliveryStatus
    /// Whether the status is that of a sample, in a large group: `delivered` means that 12 of 16 randomly chosen members have
    /// the message.
    public package(set) var isSampled: Bool
    /// The kind of the message.
    public package(set) var kind: MessageKind
    /// The question and the votes, for a poll.
    public package(set) var poll: PollState?
    /// The event, for a system line.
    public package(set) var systemLine: SystemLine?
    /// The message that it answers.
    public package(set) var replyTo: Reply?
    /// The members named in the text.
    public package(set) var mentions: [Mention]
    /// Whether it names this node's user.
    public package(set) var mentionsMe: Bool
    /// The emoji on the message, by their bytes.
    public package(set) var reactions: [Reaction]
    /// The author's earlier texts, oldest first; empty if the message was never edited.
    public package(set) var earlierTexts: [EarlierText]
    /// Whether its author has deleted it; its content is removed then.
    public package(set) var isDeleted: Bool
    /// The time at which it disappears on this node; nil if it stays, or was not read here yet.
    public package(set) var expiryTime: Timestamp?
    /// The members who attest the message, if this node has not opened it itself, because it joined the group after the
    /// message was sent.
    ///
    /// They may have invented the message or its changes; they cannot do that to a message without attesters.
    public package(set) var attestedBy: [Attester]
    /// Whether it came from an export, which is the only evidence for it.
    public package(set) var isImported: Bool

    /// Makes a message from its parts.
    ///
    /// A message without `receivedTime` arrives at the time of its sender's clock. A message without `kind` gets the kind
    /// of its other parts.
    public init(
        id: MessageID,
        conversation: ConversationID,
        sender: PeerID,
        senderName: String,
        text: String = "",
        files: [MessageFile] = [],
        sentTime: Timestamp,
        receivedTime: Timestamp? = nil,
        isOutgoing: Bool = false,
        isRequest: Bool = false,
        status: DeliveryStatus = .delivered,
        isSampled: Bool = false,
        kind: MessageKind? = nil,
        poll: PollState? = nil,
        systemLine: SystemLine? = nil,
        replyTo: Reply? = nil,
        mentions: [Mention] = [],
        mentionsMe: Bool = false,
        reactions: [Reaction] = [],
        earlierTexts: [EarlierText] = [],
        isDeleted: Bool = false,
        expiryTime: Timestamp? = nil,
        attestedBy: [Attester] = [],
        isImported: Bool = false
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.senderName = senderName
        self.text = text
        self.files = files
        self.sentTime = sentTime
        self.receivedTime = receivedTime ?? sentTime
        self.isOutgoing = isOutgoing
        self.isRequest = isRequest
        (self.status, self.isSampled) = (status, isSampled)
        let isEvent = systemLine != nil
        self.kind = kind ?? (isEvent ? .system : poll != nil ? .poll : MessageKind(text: text, files: files))
        self.poll = poll
        self.systemLine = systemLine
        self.replyTo = replyTo
        (self.mentions, self.mentionsMe) = (mentions, mentionsMe)
        self.reactions = reactions
        self.earlierTexts = earlierTexts
        self.isDeleted = isDeleted
        self.expiryTime = expiryTime
        self.attestedBy = attestedBy
        self.isImported = isImported
    }
}
