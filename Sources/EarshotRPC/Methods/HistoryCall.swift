import ChatCrypto
import Earshot

/// A page of a conversation.
package struct HistoryCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "history"
    /// The names of its parameters.
    package static let parameters = ["conversation", "limit", "before", "after"]

    /// The conversation; for a direct one the peer id, its beginning, or a nickname.
    package let conversation: String
    /// How many messages at most; nil for `RPCLimits.historyPageDefault`.
    package let limit: Int?
    /// The id of a message, or a time; only what stands before it is answered.
    package let before: String?
    /// The id of a message, or a time; only what stands after it is answered, its oldest first.
    package let after: String?

    /// Makes the call.
    package init(conversation: String, limit: Int? = nil, before: String? = nil, after: String? = nil) {
        self.conversation = conversation
        self.limit = limit
        self.before = before
        self.after = after
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> [MessageReply] {
        let limit = limit ?? RPCLimits.historyPageDefault
        guard (1...RPCLimits.historyPageCount).contains(limit) else {
            throw RPCError(.invalidParameters, "The parameter `limit` is between 1 and \(RPCLimits.historyPageCount).")
        }
        let span = HistorySpan(after: try Self.edge(after, "after"), before: try Self.edge(before, "before"))
        do {
            let known = try await node.conversation(named: conversation)
            return try await node.history(known, limit: limit, within: span).map(MessageReply.init)
        } catch {
            throw RPCError(error)
        }
    }

    private static func edge(_ text: String?, _ parameter: String) throws(RPCError) -> HistorySpan.Edge? {
        guard let text else { return nil }
        if let message = MessageID(hex: text) { return .message(message) }
        if let time = RPCCoding.date(of: text) { return .time(time) }
        throw RPCError(
            .invalidParameters,
            "The parameter `\(parameter)` is a message id of 32 hexadecimal digits, or a time as 2026-11-22T09:00:00.000Z."
        )
    }
}
