import Bytes
public import ChatCrypto

/// The id of a conversation: the id of the other peer, of the group, or of the room.
public enum ConversationID: Hashable, Codable, Sendable, LosslessStringConvertible {
    /// The conversation with one peer.
    case direct(PeerID)
    /// The conversation of a group.
    case group(GroupID)
    /// The conversation of a room, of which nothing is left when its time is over.
    case room(GroupID)

    /// Reads the text that ``description`` gives; nil for any other.
    public init?(_ description: String) {
        guard let colon = description.firstIndex(of: ":") else { return nil }
        let hex = String(description[description.index(after: colon)...])
        switch description[..<colon] {
        case "direct":
            guard let peer = PeerID(hex: hex) else { return nil }
            self = .direct(peer)
        case "group":
            guard let group = GroupID(hex: hex) else { return nil }
            self = .group(group)
        case "room":
            guard let room = GroupID(hex: hex) else { return nil }
            self = .room(room)
        default: return nil
        }
    }

    /// Decodes an id from its text.
    public init(from decoder: any Decoder) throws { try self.init(textFrom: decoder, of: "conversation ID") }

    /// Encodes the text as one string.
    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }

    /// The id as text.
    ///
    /// Shape: `direct:`, `group:` or `room:`, and the lower-case hexadecimal digits of the peer, group or room.
    public var description: String {
        switch self {
        case .direct(let peer): "direct:\(peer)"
        case .group(let group): "group:\(group)"
        case .room(let room): "room:\(room)"
        }
    }

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

    /// The id of the peer, group or room alone, as the wire and the archive write it.
    ///
    /// Shape: lower-case hexadecimal digits.
    package var hex: String {
        switch self {
        case .direct(let peer): peer.description
        case .group(let group), .room(let group): group.description
        }
    }
}

/// A conversation as a list shows it.
public struct Conversation: Hashable, Identifiable, Codable, Sendable {
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
    public var isPinned: Bool
    /// The members that are typing at the moment.
    public var typing: [PeerID]
    /// The text that the user has begun to write; empty for none.
    public var draft: String
    /// The disappearing-messages timer for the next message; nil for messages that stay.
    public var timer: Duration?

    /// Makes a conversation from its parts.
    public init(
        id: ConversationID,
        title: String,
        members: [PeerID] = [],
        unreadCount: Int = 0,
        last: Message? = nil,
        isRequest: Bool = false,
        muteEnd: Timestamp? = nil,
        isPinned: Bool = false,
        typing: [PeerID] = [],
        draft: String = "",
        timer: Duration? = nil
    ) {
        self.id = id
        self.title = title
        self.members = members
        self.unreadCount = unreadCount
        self.last = last
        self.isRequest = isRequest
        self.muteEnd = muteEnd
        self.isPinned = isPinned
        self.typing = typing
        self.draft = draft
        self.timer = timer
    }
}
