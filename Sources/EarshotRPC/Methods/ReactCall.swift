import ChatCrypto
import Earshot

/// Puts an emoji on a message or takes it away.
package struct ReactCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "react"
    /// The names of its parameters.
    package static let parameters = ["message", "emoji", "on"]

    /// The message's id.
    package let message: String
    /// One emoji.
    package let emoji: String
    /// Whether it is to be there; the opposite of how it is where it is absent.
    package let on: Bool?

    /// Makes the call.
    package init(message: String, emoji: String, on: Bool? = nil) {
        self.message = message
        self.emoji = emoji
        self.on = on
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        let id = try MessageID(parameter: "message", message)
        do {
            try await node.react(emoji, to: id, isOn: on)
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
