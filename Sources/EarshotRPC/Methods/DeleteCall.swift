import ChatCrypto
import Earshot

/// Deletes a message, everywhere or on this node alone.
package struct DeleteCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "delete"
    /// The names of its parameters.
    package static let parameters = ["message", "forEveryone"]

    /// The message's id.
    package let message: String
    /// Whether it is to go on all nodes, which only its author can ask for; no if left out.
    package let forEveryone: Bool?

    /// Makes the call.
    package init(message: String, forEveryone: Bool? = nil) {
        self.message = message
        self.forEveryone = forEveryone
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        let id = try MessageID(parameter: "message", message)
        do {
            try await node.delete(id, forEveryone: forEveryone ?? false)
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
