import ChatCrypto
import Earshot

/// Compares a safety number, or a scanned code.
package struct VerifyCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "verify"
    /// The names of its parameters.
    package static let parameters = ["peer", "number", "code"]

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The state of trust from here on.
        package let trust: String
    }

    /// Who: a peer id, its beginning, or a nickname.
    package let peer: String
    /// The number as the other side reads it out.
    package let number: String?
    /// What the other side's QR code says; instead of the number.
    package let code: String?

    /// Makes the call with one of the two.
    package init(peer: String, number: String? = nil, code: String? = nil) {
        self.peer = peer
        self.number = number
        self.code = code
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        guard (number == nil) != (code == nil) else {
            throw RPCError(.invalidParameters, "Give either `number` or `code`.")
        }
        let scanned = code.flatMap { IdentityCode($0) }
        guard code == nil || scanned != nil else {
            throw RPCError(.invalidParameters, "The code of an identity begins with earshot:peer.")
        }
        return try await RPCError.translating { () throws(ChatError) in
            let peer = try await node.peer(named: peer)
            if let scanned { return Reply(trust: try await node.verify(peer, scanned: scanned).rawValue) }
            return Reply(trust: try await node.verify(peer, number: number ?? "").rawValue)
        }
    }
}
