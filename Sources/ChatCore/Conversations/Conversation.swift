public import ChatCrypto

/// The id of a conversation: the id of the other peer, of the group, or of the room.
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

    /// Whether it is removed with all its content when its time is over.
    package var isRoom: Bool {
        if case .room = self { true } else { false }
    }

    /// The id as text.
    ///
    /// Shape: lower-case hexadecimal digits.
    public var description: String {
        switch self {
        case .direct(let peer): peer.description
        case .group(let group), .room(let group): group.description
        }
    }
}

/// A conversation as a list shows it.
public struct Conversation: Hashable, Sendable {
    /// The conversation's id.
    public let id: ConversationID
    /// The title of the conversation here.
    public let title: String
    /// The other members.
    public let members: [PeerID]
    /// The number of incoming messages that the user has not read.
    public let unreadCount: Int
    /// The newest message.
    public let last: Message?
    /// Whether it waits for the user to accept the unknown peer who began it.
    public let isRequest: Bool
    /// The end of the mute; nil if it is not muted.
    public var muteEnd: Timestamp?
    /// Whether the user has pinned it, so that lists show it before others.
    public var isPinned = false
    /// The members that are typing at the moment.
    public var typing: [PeerID] = []
    /// The text that the user has begun to write; empty for none.
    public var draft = ""
    /// The disappearing-messages timer for the next message; nil for messages that stay.
    public var timer: Duration?
}
