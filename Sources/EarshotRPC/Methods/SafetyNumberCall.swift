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
            return Reply(number: try await node.safetyNumber(with: try await node.peer(named: peer)))
        } catch {
            throw RPCError(error)
        }
    }
}
