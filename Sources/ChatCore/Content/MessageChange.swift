package import ChatCrypto

/// What a member does to a message that was sent before.
package enum MessageChange: Hashable, Sendable {
    /// Puts an emoji on it or takes it away.
    case react(String, isOn: Bool, number: UInt32)
    /// Another text in place of its own.
    case edit(String, mentions: [Mention], number: UInt32)
    /// Takes it back.
    case delete
    /// A choice in a poll: bit n stands for option n.
    case vote(UInt32, number: UInt32)
    /// Ends a poll with the votes that count.
    case close(counting: [MessageID])
}

/// A change as it came out of a session or a group: who made it is proven, what it says is not.
package struct ChangeOperation: Hashable, Sendable {
    /// The message that brought it.
    package let id: MessageID
    package let author: PeerID
    package let target: MessageID
    /// Units: milliseconds since 1970 by the author's clock.
    package let sentAt: UInt64
    package let change: MessageChange

    package init(id: MessageID, author: PeerID, target: MessageID, sentAt: UInt64, _ change: MessageChange) {
        self.id = id
        self.author = author
        self.target = target
        self.sentAt = sentAt
        self.change = change
    }
}

/// What a change has to know of the message that it changes; it never changes itself.
package struct ChangeTarget: Hashable, Sendable {
    /// What kind of message it is.
    package enum Kind: Hashable, Sendable {
        case text
        case poll(Poll)
        /// A line of the system, or something that only newer versions know.
        case other
    }

    package let author: PeerID
    package let kind: Kind

    package init(author: PeerID, _ kind: Kind) {
        self.author = author
        self.kind = kind
    }
}
