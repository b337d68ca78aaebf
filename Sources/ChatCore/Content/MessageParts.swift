public import ChatCrypto

/// The present state of a poll.
public struct PollState: Hashable, Codable, Sendable {
    /// The question and its options.
    public let poll: Poll
    /// The voters of each option, in the options' order; the same on every node that has the same votes.
    public let votes: [[PeerID]]
    /// Whether its author has ended it.
    public let isClosed: Bool
    /// The indices of the options that this node's user chose, in order.
    public let ownVotes: [Int]

    /// Makes a state from its parts; nil in place of `votes` means no votes.
    public init(poll: Poll, votes: [[PeerID]]? = nil, isClosed: Bool = false, ownVotes: [Int] = []) {
        self.poll = poll
        self.votes = votes ?? poll.options.map { _ in [] }
        self.isClosed = isClosed
        self.ownVotes = ownVotes
    }
}

/// An emoji on a message.
public struct Reaction: Hashable, Identifiable, Codable, Sendable {
    /// The emoji.
    public let emoji: String
    /// The members who put it there, by their ids.
    public let members: [PeerID]
    /// Whether this node's user is one of them.
    public let isMine: Bool
    /// The emoji, which a message has once.
    public var id: String { emoji }

    /// Makes a reaction from its parts.
    public init(emoji: String, members: [PeerID], isMine: Bool = false) {
        self.emoji = emoji
        self.members = members
        self.isMine = isMine
    }
}

/// The message that another one answers.
public struct Reply: Hashable, Identifiable, Codable, Sendable {
    /// The known facts of an answered message.
    public struct Original: Hashable, Codable, Sendable {
        /// The author.
        public let sender: PeerID
        /// The name of the sender here.
        public let senderName: String
        /// The present text, or the question; empty for files and for a deleted message.
        public let text: String
        /// Whether its author has deleted it.
        public let isDeleted: Bool

        /// Makes the facts from their parts.
        public init(sender: PeerID, senderName: String, text: String = "", isDeleted: Bool = false) {
            self.sender = sender
            self.senderName = senderName
            self.text = text
            self.isDeleted = isDeleted
        }
    }

    /// Its id, which the answer's content names: nobody can make another message with this id.
    public let id: MessageID
    /// The message; nil if it is not here, or not any more.
    public let original: Original?

    /// Makes a reference to a message.
    public init(id: MessageID, original: Original? = nil) {
        self.id = id
        self.original = original
    }
}

/// A text that its author replaced.
public struct EarlierText: Hashable, Codable, Sendable {
    /// The text.
    public let text: String
    /// The author's clock when it was written.
    public let sentTime: Timestamp

    /// Makes an earlier text from its parts.
    public init(text: String, sentTime: Timestamp) {
        self.text = text
        self.sentTime = sentTime
    }
}

/// An event in a conversation.
public enum SystemLine: Hashable, Codable, Sendable {
    /// A member set the time after which messages disappear; nil for never.
    case timer(Duration?)
    /// A member created the group.
    case created
    /// The owner has added a member.
    case added(PeerID, name: String)
    /// The owner has removed a member.
    case removed(PeerID, name: String)
    /// A member has left.
    case left
    /// The group has a new title.
    case renamed(String)
    /// The owner has made another member the owner.
    case ownershipTransferred(to: PeerID, name: String)
}

/// The options of a message besides its text.
public struct MessageOptions: Hashable, Sendable {
    /// The message of the same conversation that it answers.
    public var replyTo: MessageID?
    /// The meant members, if two members have the name after an `@`.
    public var mentions: [PeerID]
    /// The time for which it is kept after it was read; `zero` for no end, nil for the conversation's timer.
    public var expiresAfter: Duration?
    /// Whether writing to an unknown peer makes it a contact.
    ///
    /// It does by default; a program that only refuses a peer turns this off.
    public var acceptsStranger = true

    /// Makes options.
    public init(replyTo: MessageID? = nil, mentions: [PeerID] = [], expiresAfter: Duration? = nil) {
        self.replyTo = replyTo
        self.mentions = mentions
        self.expiresAfter = expiresAfter
    }
}
