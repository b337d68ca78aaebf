import ChatCrypto
import Earshot

/// Notes that the user has seen a conversation up to its newest message.
package struct MarkReadCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "markRead"
    /// The names of its parameters.
    package static let parameters = ["conversation"]

    /// The conversation; for a direct one the peer id, its beginning, or a nickname.
    package let conversation: String

    /// Makes the call.
    package init(conversation: String) {
        self.conversation = conversation
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        do {
            try await node.markRead(try await node.conversation(named: conversation))
        } catch {
            throw RPCError(error)
        }
        return EmptyReply()
    }
}
