import ChatCrypto
import Earshot

/// Asks for a message's file that is neither here nor on its way.
package struct FetchMediaCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "fetchMedia"
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

    /// Does it; the event `progress` tells when all of it is here.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        guard let id = MessageID(hex: message) else {
            throw RPCError(.invalidParameters, "The parameter `message` is a message id of 32 hexadecimal digits.")
        }
        do {
            try await node.fetchFile(id, index: index ?? 0)
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
