public import ChatCrypto

/// A poll as it stands.
public struct PollState: Hashable, Sendable {
    /// What was asked.
    public let poll: Poll
    /// Who chose each option, in the options' order; the same on every node that has the same votes.
    public let votes: [[PeerID]]
    /// Whether its author has ended it.
    public let isClosed: Bool
}

/// An emoji on a message.
public struct Reaction: Hashable, Sendable {
    /// The emoji.
    public let emoji: String
    /// Who put it there, by their ids.
    public let members: [PeerID]

    package init(emoji: String, members: [PeerID]) {
        self.emoji = emoji
        self.members = members
    }
}

/// The message that another one answers.
public struct Reply: Hashable, Sendable {
    /// What is known of a message that was answered.
    public struct Original: Hashable, Sendable {
        /// Who wrote it.
        public let sender: PeerID
        /// What the sender is called here.
        public let senderName: String
        /// The text as it stands, or the question; empty for files and for what was deleted.
        public let text: String
        /// Whether its author has deleted it.
        public let isDeleted: Bool
    }

    /// Its id, which its content gives: nobody can make another message that has it.
    public let id: MessageID
    /// The message; nil if it is not here, or not any more.
    public let original: Original?
}

/// A text that its author replaced.
public struct EarlierText: Hashable, Sendable {
    /// The text.
    public let text: String
    /// The author's clock when it was written.
    public let sentTime: Timestamp
}

/// What happened to a conversation.
public enum SystemLine: Hashable, Sendable {
    /// Somebody set the time after which messages go; nil for never.
    case timer(Duration?)
    /// Somebody founded the group.
    case founded
    /// The owner has taken somebody in.
    case added(PeerID, name: String)
    /// The owner has put somebody out.
    case removed(PeerID, name: String)
    /// Somebody has left.
    case left
    /// The group has another title.
    case renamed(String)
    /// The owner has made somebody else the owner.
    case handedOver(to: PeerID, name: String)
}

/// What can be said of a message besides its text.
public struct MessageOptions: Hashable, Sendable {
    /// The message of the same conversation that it answers.
    public var replyTo: MessageID?
    /// Whom the text means where two members have the name that stands after an `@`.
    public var mentions: [PeerID]
    /// How long it is kept once it was read; `zero` for ever, nil for what the conversation has.
    public var expiresAfter: Duration?
    /// Whether writing to a stranger makes a contact of it, as it does unless a program only turns it away.
    public var acceptsStranger = true

    /// Makes options.
    public init(replyTo: MessageID? = nil, mentions: [PeerID] = [], expiresAfter: Duration? = nil) {
        self.replyTo = replyTo
        self.mentions = mentions
        self.expiresAfter = expiresAfter
    }
}
