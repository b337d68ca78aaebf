import ChatCrypto
import Earshot

/// A part of a conversation, and how much there is around it: what scrolls through a long one asks for.
package struct HistoryWindowCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "history.window"
    /// The names of its parameters.
    package static let parameters = ["conversation", "limit", "index", "message"]

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The messages, oldest first.
        package let messages: [MessageReply]
        /// How many stand before them; what is kept but not shown is counted too.
        package let before: Int
        /// How many stand after them.
        package let after: Int
    }

    /// The conversation; for a direct one the peer id, its beginning, or a nickname.
    package let conversation: String
    /// How many messages at most; nil for `RPCLimits.historyPageDefault`.
    package let limit: Int?
    /// How many messages are to stand before the first that is answered; the newest are answered without it.
    package let index: Int?
    /// The id of a message; what is around it is answered.
    package let message: String?

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let limit = limit ?? RPCLimits.historyPageDefault
        guard (1...RPCLimits.historyPageCount).contains(limit) else {
            throw RPCError(.invalidParameters, "The parameter `limit` is between 1 and \(RPCLimits.historyPageCount).")
        }
        guard index == nil || message == nil, (index ?? 0) >= 0 else {
            throw RPCError(.invalidParameters, "Give `index`, a number from 0 on, or `message`, or neither.")
        }
        var place = index.map { HistoryWindow.Place.index($0) } ?? .end
        if let message {
            place = .message(try MessageID(parameter: "message", message))
        }
        do {
            let known = try await node.conversation(named: conversation)
            let window = try await node.historyWindow(known, limit: limit, at: place)
            return Reply(
                messages: window.messages.map(MessageReply.init),
                before: window.countBefore,
                after: window.countAfter
            )
        } catch {
            throw RPCError(error)
        }
    }
}
