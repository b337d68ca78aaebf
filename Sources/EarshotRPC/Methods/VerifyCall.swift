import ChatCrypto

/// Compares a safety number.
package struct VerifyCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "verify"
    /// The names of its parameters.
    package static let parameters = ["peer", "number"]

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The state of trust from here on.
        package let trust: String
    }

    /// Who: a peer id, its beginning, or a nickname.
    package let peer: String
    /// The number as the other side reads it out.
    package let number: String

    /// Makes the call.
    package init(peer: String, number: String) {
        self.peer = peer
        self.number = number
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        do {
            return Reply(trust: try await node.verify(try await node.peer(named: peer), number: number).rawValue)
        } catch {
            throw RPCError(error)
        }
    }
}
