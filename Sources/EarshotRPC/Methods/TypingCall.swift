import ChatCrypto
import Earshot

/// Tells a peer, or the contacts in a group, that somebody types here, where the node's settings allow it.
package struct TypingCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "typing"
    /// The names of its parameters.
    package static let parameters = ["to", "active"]

    /// Who: a peer id, its beginning, a nickname, or `group:` and a title.
    package let to: String
    /// False once somebody has stopped; true if left out.
    package let active: Bool?

    /// Makes the call.
    package init(to: String, active: Bool? = nil) {
        self.to = to
        self.active = active
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        do {
            try await node.typing(active ?? true, to: try await node.conversation(named: to))
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
