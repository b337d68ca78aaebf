import ChatCrypto
import Earshot

/// Puts another text in place of an own one.
package struct EditCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "edit"
    /// The names of its parameters.
    package static let parameters = ["message", "text"]

    /// The message's id.
    package let message: String
    /// The text.
    package let text: String

    /// Makes the call.
    package init(message: String, text: String) {
        self.message = message
        self.text = text
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        let id = try MessageID(parameter: "message", message)
        do {
            try await node.edit(id, to: text)
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
