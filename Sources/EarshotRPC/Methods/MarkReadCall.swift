import ChatCrypto
import Earshot

/// Notes that the user has seen a conversation up to its newest message, or up to another one.
package struct MarkReadCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "markRead"
    /// The names of its parameters.
    package static let parameters = ["conversation", "upTo"]

    /// The conversation; for a direct one the peer id, its beginning, or a nickname.
    package let conversation: String
    /// The id of the newest message that was seen; all of them where it is absent.
    package let upTo: String?

    /// Makes the call.
    package init(conversation: String, upTo: String? = nil) {
        self.conversation = conversation
        self.upTo = upTo
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        var last: MessageID?
        if let upTo { last = try MessageID(parameter: "upTo", upTo) }
        do {
            try await node.markRead(try await node.conversation(named: conversation), upTo: last)
        } catch {
            throw RPCError(error)
        }
        return EmptyReply()
    }
}
