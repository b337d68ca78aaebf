import ChatCrypto
import Earshot

/// Takes an own message out of the outbox.
package struct CancelCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "cancel"
    /// The names of its parameters.
    package static let parameters = ["message"]

    /// The message's id.
    package let message: String

    /// Makes the call.
    package init(message: String) {
        self.message = message
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        guard let id = MessageID(hex: message) else {
            throw RPCError(.invalidParameters, "The parameter `message` is a message id of 32 hexadecimal digits.")
        }
        try await RPCError.translating { () throws(ChatError) in try await node.cancel(id) }
        return EmptyReply()
    }
}
