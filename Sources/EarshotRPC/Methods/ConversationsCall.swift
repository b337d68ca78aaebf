import ChatCrypto
package import Earshot
package import Foundation

/// The conversations.
package struct ConversationsCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "conversations"
    /// It takes none.
    package static let parameters: [String] = []

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> [ConversationReply] {
        do {
            return try await node.conversations().map(ConversationReply.init)
        } catch {
            throw RPCError(error)
        }
    }
}

/// A conversation on the wire.
package struct ConversationReply: Codable, Hashable, Sendable {
    /// The conversation's name; that of a direct one is the peer's id.
    package let id: String
    /// `direct`, `group` or `room`.
    package let kind: String
    /// What it is called here.
    package let title: String
    /// The peer ids of the other members.
    package let members: [String]
    /// How many incoming messages nobody has looked at.
    package let unread: Int
    /// Whether a stranger waits for being accepted.
    package let request: Bool
    /// The newest message.
    package let last: MessageReply?
    /// Until when the user wants no notices of it; absent if it is not muted.
    package let mutedUntil: Date?
    /// True for one that the user has pinned; absent for others.
    package let pinned: Bool?

    /// Puts a conversation into words of the wire.
    package init(_ conversation: Conversation) {
        id = conversation.id.description
        kind =
            switch conversation.id {
            case .direct: "direct"
            case .group: "group"
            case .room: "room"
            }
        title = conversation.title
        members = conversation.members.map(\.description)
        unread = conversation.unreadCount
        request = conversation.isRequest
        last = conversation.last.map(MessageReply.init)
        mutedUntil = conversation.mutedUntil
        pinned = conversation.isPinned ? true : nil
    }
}
