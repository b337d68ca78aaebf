import ChatCrypto
import Earshot

/// Gives up a message's file that is not here yet.
package struct CancelMediaCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "cancelMedia"
    /// The names of its parameters.
    package static let parameters = ["message", "index"]

    /// The message's id.
    package let message: String
    /// Which of its files; the first where it is absent.
    package let index: Int?

    /// Makes the call.
    package init(message: String, index: Int? = nil) {
        self.message = message
        self.index = index
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        guard let id = MessageID(hex: message) else {
            throw RPCError(.invalidParameters, "The parameter `message` is a message id of 32 hexadecimal digits.")
        }
        do {
            try await node.cancelFile(id, index: index ?? 0)
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
