public import ChatCrypto

/// The name of a conversation: the id of the other peer, of the group, or of the room.
public enum ConversationID: Hashable, Sendable, CustomStringConvertible {
    /// The conversation with one peer.
    case direct(PeerID)
    /// The conversation of a group.
    case group(GroupID)
    /// The conversation of a room, of which nothing is left when its time is over.
    case room(GroupID)

    /// The group or room; nil for a direct conversation.
    package var group: GroupID? {
        switch self {
        case .direct: nil
        case .group(let group), .room(let group): group
        }
    }

    /// Whether it goes with all that is in it when its time is over.
    package var isRoom: Bool {
        if case .room = self { true } else { false }
    }

    /// Lower-case hexadecimal digits.
    public var description: String {
        switch self {
        case .direct(let peer): peer.description
        case .group(let group), .room(let group): group.description
        }
    }
}

/// A conversation as a list shows it.
public struct Conversation: Hashable, Sendable {
    /// The conversation's name.
    public let id: ConversationID
    /// What it is called here.
    public let title: String
    /// The other members.
    public let members: [PeerID]
    /// How many incoming messages nobody has looked at.
    public let unreadCount: Int
    /// The newest message.
    public let last: Message?
    /// Whether it waits for the user to accept the stranger who began it.
    public let isRequest: Bool
    /// Until when the user wants no notices of it; nil if it is not muted.
    public var muteEnd: Timestamp?
    /// Whether the user has pinned it, so that lists have it before others.
    public var isPinned = false
}
