public import ChatCrypto

/// The name of a conversation; that of a direct one is the other peer's id, that of a group the group's.
public enum ConversationID: Hashable, Sendable, CustomStringConvertible {
    /// The conversation with one peer.
    case direct(PeerID)
    /// The conversation of a group.
    case group(GroupID)

    /// Lower-case hexadecimal digits.
    public var description: String {
        switch self {
        case .direct(let peer): peer.description
        case .group(let group): group.description
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
    /// Whether it is that of a room, of which nothing is left when its time is over.
    public package(set) var isRoom = false
    /// Until when the user wants no notices of it; nil if it is not muted.
    public var muteEnd: Timestamp?
    /// Whether the user has pinned it, so that lists have it before others.
    public var isPinned = false
}
