package import ChatCrypto
package import Earshot

/// A group on the wire.
package struct GroupReply: Codable, Hashable, Sendable {
    /// Somebody in it.
    package struct Member: Codable, Hashable, Sendable {
        /// The peer id.
        package let id: String
        /// What the peer is called here.
        package let name: String
        /// Whether the peer said that it leaves.
        package let leaving: Bool
    }

    /// Shape: 32 hexadecimal digits.
    package let id: String
    /// What it is called.
    package let title: String
    /// `invited`, `joining`, `member` or `out`.
    package let standing: String
    /// Everybody in it, this node too.
    package let members: [Member]
    /// The peer id of who decides who is in it.
    package let owner: String?
    /// The peer id of who wants this node in it, while it is not.
    package let invitedBy: String?
    /// How often it has changed.
    package let epoch: Int
    /// Whether its owner has signed two histories of it.
    package let frozen: Bool
    /// What newcomers may be given of what was said before: `none`, `last:` and how many, or `all`.
    package let history: String

    /// Puts a group into words of the wire.
    package init(_ group: Group) {
        id = group.id.description
        title = group.title
        standing = group.standing.rawValue
        members = group.members.map { Member(id: $0.id.description, name: $0.name, leaving: $0.isLeaving) }
        owner = group.owner?.description
        invitedBy = group.invitedBy?.description
        epoch = Int(group.epoch)
        frozen = group.isFrozen
        history = group.history.description
    }
}

/// What happened in a group, on the wire.
package struct GroupEventReply: Codable, Hashable, Sendable {
    /// The group's id.
    package let group: String
    /// What happened.
    package let event: String
    /// Whom it is about, where that is somebody else.
    package let by: String?
    /// The new title, for `renamed`.
    package let title: String?
    /// How many messages from before this node came are here by now, for `history`.
    package let messages: Int?
    /// Whether no more of them is asked for, for `history`.
    package let complete: Bool?

    /// Puts an event into words of the wire.
    package init(_ group: GroupID, _ event: GroupEvent) {
        self.group = group.description
        self.event = event.name
        by = event.peer?.description
        title = if case .renamed(let title) = event { title } else { nil }
        let progress: HistoryProgress? = if case .history(let progress) = event { progress } else { nil }
        messages = progress?.messageCount
        complete = progress?.isComplete
    }
}
