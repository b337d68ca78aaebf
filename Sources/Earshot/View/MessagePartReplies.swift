package import ChatCore
import ChatCrypto
package import Foundation

/// A poll on the wire.
package struct PollReply: Codable, Hashable, Sendable {
    /// An option.
    package struct Option: Codable, Hashable, Sendable {
        /// The option's text.
        package let text: String
        /// The peer ids of the voters for it.
        package let votes: [String]
    }

    /// The question.
    package let question: String
    /// The options, in the order of their places from 0.
    package let options: [Option]
    /// Whether a voter may choose several options.
    package let multiple: Bool
    /// Whether a voter may change their vote.
    package let mayChange: Bool
    /// Whether its author has ended it.
    package let closed: Bool

    package init(_ state: PollState) {
        question = state.poll.question
        options = zip(state.poll.options, state.votes).map { Option(text: $0, votes: $1.map(\.description)) }
        multiple = state.poll.allowsSeveral
        mayChange = state.poll.allowsChange
        closed = state.isClosed
    }
}

/// A line about the conversation on the wire.
package struct SystemReply: Codable, Hashable, Sendable {
    /// The event: `timer`, or in a group `created`, `added`, `removed`, `left`, `renamed` or `ownershipTransferred`.
    package let event: String
    /// Units: seconds after which messages disappear once they were read; 0 for never.
    package private(set) var expiresAfter: Double?
    /// The id of the affected peer; absent if that is the sender.
    package private(set) var peer: String?
    /// The name of that peer here.
    package private(set) var name: String?
    /// The new title.
    package private(set) var title: String?

    package init(_ line: SystemLine) {
        switch line {
        case .timer(let duration):
            event = "timer"
            expiresAfter = duration.map(\.fractionalSeconds) ?? 0
        case .created: event = "founded"
        case .added(let peer, let name): (event, self.peer, self.name) = ("added", peer.description, name)
        case .removed(let peer, let name): (event, self.peer, self.name) = ("removed", peer.description, name)
        case .left: event = "left"
        case .renamed(let title): (event, self.title) = ("renamed", title)
        case .ownershipTransferred(let peer, let name):
            (event, self.peer, self.name) = ("handedOver", peer.description, name)
        }
    }
}

/// An answered message on the wire.
package struct ReplyReply: Codable, Hashable, Sendable {
    /// The message's id.
    package let message: String
    /// The peer id of the author; absent if the message is not here.
    package let from: String?
    /// The author's name here.
    package let fromName: String?
    /// The present text, or the question.
    package let text: String?
    /// Whether its author has deleted it.
    package let deleted: Bool?

    package init(_ reply: Reply) {
        message = reply.id.description
        from = reply.original?.sender.description
        fromName = reply.original?.senderName
        text = reply.original?.text
        deleted = reply.original?.isDeleted
    }
}

/// An emoji on a message on the wire.
package struct ReactionReply: Codable, Hashable, Sendable {
    /// The emoji.
    package let emoji: String
    /// The peer ids of those who added it.
    package let from: [String]

    package init(_ reaction: Reaction) {
        emoji = reaction.emoji
        from = reaction.members.map(\.description)
    }
}

/// A mention on the wire.
package struct MentionReply: Codable, Hashable, Sendable {
    /// The id of the mentioned peer.
    package let peer: String
    /// Units: bytes of UTF-8 before the `@`.
    package let start: Int
    /// Units: bytes of UTF-8.
    package let count: Int

    package init(_ mention: Mention) {
        peer = mention.peer.description
        start = mention.place.lowerBound
        count = mention.place.count
    }
}

/// A text that was replaced, on the wire.
package struct EarlierReply: Codable, Hashable, Sendable {
    /// The text.
    package let text: String
    /// The author's clock when it was written.
    package let sentAt: Date

    package init(_ earlier: EarlierText) {
        text = earlier.text
        sentAt = earlier.sentAt
    }
}

/// An attester of a message on the wire.
package struct AttesterReply: Codable, Hashable, Sendable {
    /// The peer id.
    package let id: String
    /// The name of the peer here.
    package let name: String

    package init(_ attester: Attester) {
        id = attester.id.description
        name = attester.name
    }
}
