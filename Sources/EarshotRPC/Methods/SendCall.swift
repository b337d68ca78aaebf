import ChatCrypto
import Earshot

/// Puts a text into the outbox.
package struct SendCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "send"
    /// The names of its parameters.
    package static let parameters = ["to", "text"]

    /// The answer, given once the message is durable.
    package struct Reply: Codable, Hashable, Sendable {
        /// The message's id.
        package let message: String
    }

    /// Who: a peer id, its beginning, or a nickname.
    package let to: String
    /// The text.
    package let text: String

    /// Makes the call.
    package init(to: String, text: String) {
        self.to = to
        self.text = text
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        do {
            return Reply(message: try await node.send(text, to: try await node.peer(named: to)).id.description)
        } catch {
            throw RPCError(error)
        }
    }
}
