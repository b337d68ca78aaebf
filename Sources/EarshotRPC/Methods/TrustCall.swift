import ChatCrypto
import Earshot

/// Carries out a decision on trust.
package struct TrustCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "trust"
    /// The names of its parameters.
    package static let parameters = ["peer", "action"]

    /// Who: a peer id, its beginning, or a nickname.
    package let peer: String
    /// `accept`, `block` or `unblock`.
    package let action: String

    /// Makes the call.
    package init(peer: String, action: String) {
        self.peer = peer
        self.action = action
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> ContactReply {
        guard let decision = TrustDecision(rawValue: action) else {
            throw RPCError(.invalidParameters, "The parameter `action` is accept, block or unblock.")
        }
        do {
            return ContactReply(try await node.trust(try await node.peer(named: peer), decision))
        } catch {
            throw RPCError(error)
        }
    }
}
