import ChatCrypto
import Earshot

/// A page of a conversation.
package struct HistoryCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "history"
    /// The names of its parameters.
    package static let parameters = ["conversation", "limit", "before"]

    /// The conversation; for a direct one the peer id, its beginning, or a nickname.
    package let conversation: String
    /// How many messages at most; nil for `RPCLimits.historyPageDefault`.
    package let limit: Int?
    /// The id of a message; only older ones are answered.
    package let before: String?

    /// Makes the call.
    package init(conversation: String, limit: Int? = nil, before: String? = nil) {
        self.conversation = conversation
        self.limit = limit
        self.before = before
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> [MessageReply] {
        let limit = limit ?? RPCLimits.historyPageDefault
        guard (1...RPCLimits.historyPageCount).contains(limit) else {
            throw RPCError(.invalidParameters, "The parameter `limit` is between 1 and \(RPCLimits.historyPageCount).")
        }
        let oldest = before.flatMap { MessageID(hex: $0) }
        guard before == nil || oldest != nil else {
            throw RPCError(.invalidParameters, "The parameter `before` is a message id of 32 hexadecimal digits.")
        }
        do {
            let known = try await node.conversation(named: conversation)
            return try await node.history(known, limit: limit, before: oldest).map(MessageReply.init)
        } catch {
            throw RPCError(error)
        }
    }
}
