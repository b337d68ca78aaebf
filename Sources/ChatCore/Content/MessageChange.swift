package import ChatCrypto

/// A change that a member makes to a message that was sent before.
package enum MessageChange: Hashable, Sendable {
    /// Puts an emoji on the message or removes it.
    case react(String, isOn: Bool, number: UInt32)
    /// Replaces the message's text.
    case edit(String, mentions: [Mention], number: UInt32)
    /// Deletes the message for all members.
    case delete
    /// Votes in a poll: bit n is option n.
    case vote(UInt32, number: UInt32)
    /// Ends a poll with the votes that count.
    case close(counting: [MessageID])
}

/// A change from a session or a group: its author is proven, its content is not.
package struct ChangeOperation: Hashable, Sendable {
    /// The message that carried the change.
    package let id: MessageID
    package let author: PeerID
    package let target: MessageID
    /// The time by the author's clock.
    ///
    /// Units: milliseconds since 1970.
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

/// The facts about the changed message that decide about a change; they never change.
package struct ChangeTarget: Hashable, Sendable {
    /// The kind of the message.
    package enum Kind: Hashable, Sendable {
        case text
        case poll(Poll)
        /// A system line, or content that only newer versions know.
        case other
    }

    package let author: PeerID
    package let kind: Kind

    package init(author: PeerID, _ kind: Kind) {
        self.author = author
        self.kind = kind
    }
}
