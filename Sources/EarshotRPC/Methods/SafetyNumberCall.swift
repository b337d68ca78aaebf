import ChatCrypto

/// The number that both sides of a pair see.
package struct SafetyNumberCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "safetyNumber"
    /// The names of its parameters.
    package static let parameters = ["peer"]

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// Shape: 60 digits.
        package let number: String
        /// The id of the peer it is with.
        package let peer: String
    }

    /// Who: a peer id, its beginning, or a nickname.
    package let peer: String

    /// Makes the call.
    package init(peer: String) {
        self.peer = peer
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        do {
            let peer = try await node.peer(named: peer)
            return Reply(number: try await node.safetyNumber(with: peer), peer: peer.description)
        } catch {
            throw RPCError(error)
        }
    }
}
