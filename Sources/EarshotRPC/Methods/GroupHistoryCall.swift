import ChatCrypto
import Earshot

/// Decides anew what who comes to a group may be given of what was said before.
package struct GroupHistoryCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "group.history"
    /// The names of its parameters.
    package static let parameters = ["group", "history"]

    /// The group: its id, the beginning of it, or its title.
    package let group: String
    /// `none`, `last:` and how many, or `all`.
    package let history: String

    /// Makes the call.
    package init(group: String, history: String) {
        self.group = group
        self.history = history
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> GroupReply {
        let policy = try RPCError.history(named: history)
        return try await RPCError.translating { () throws(ChatError) in
            GroupReply(try await node.setHistory(policy, of: try await node.groupID(named: group)))
        }
    }
}

extension RPCError {
    /// What the words of the wire let newcomers have.
    static func history(named text: String) throws(RPCError) -> GroupPolicy.History {
        guard let history = GroupPolicy.History(text) else {
            throw RPCError(
                .invalidParameters,
                "The parameter `history` is `none`, `all`, or `last:` and 1 to 65535, as in `last:50`."
            )
        }
        return history
    }
}
