import EarshotRPC

/// A conversation that can be open.
struct ChatPlace: Equatable, Sendable {
    /// The conversation's name, as the node has it.
    let id: String
    /// `direct`, `group` or `room`.
    let kind: String
    var title: String
    /// The id of this node in it.
    let own: String
    /// How its members are called, by their ids.
    var members: [String: String] = [:]

    /// As a user names it.
    var name: String { kind == "direct" ? title : "\(kind):\(title)" }
}

/// Who is there, and which conversations, as far as the chat needs it.
struct ChatPeople: Equatable, Sendable {
    /// The id of this node.
    var own = ""
    var contacts: [String: ContactReply] = [:]
    var conversations: [String: ConversationReply] = [:]
}
