import EarshotRPC

/// A conversation that the chat can open.
struct ChatConversation: Equatable, Sendable {
    /// The id of the conversation in the node.
    let id: String
    /// `direct`, `group` or `room`.
    let kind: String
    var title: String
    /// The id of this node in it.
    let own: String
    /// The names of its members, by their ids.
    var members: [String: String] = [:]

    /// The name that a user types.
    var name: String { kind == "direct" ? title : "\(kind):\(title)" }
}

/// The contacts and conversations that the chat knows.
struct ChatPeople: Equatable, Sendable {
    /// The id of this node.
    var own = ""
    var contacts: [String: ContactReply] = [:]
    var conversations: [String: ConversationReply] = [:]
}
