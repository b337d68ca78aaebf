import Earshot
package import Foundation

/// Tells what a rotation of the node's identity would do.
package struct RotationPlanCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "identity.rotationPlan"
    /// It takes none.
    package static let parameters: [String] = []

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// How many contacts are told.
        package let contacts: Int
        /// Titles of groups whose owners' nodes are to put the new identity in the old one's place.
        package let following: [String]
        /// Titles of groups that are left.
        package let leaving: [String]
        /// Titles of groups that have to be handed over first.
        package let owned: [String]
    }

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let plan = try await RPCError.translating { () throws(ChatError) in try await node.rotationPlan() }
        return Reply(
            contacts: plan.contactCount,
            following: plan.following,
            leaving: plan.leaving,
            owned: plan.owned
        )
    }
}

/// Replaces the node's identity by a new one.
package struct RotateIdentityCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "identity.rotate"
    /// It takes none.
    package static let parameters: [String] = []

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The new peer id.
        package let id: String
        /// The nickname, which stays.
        package let name: String
        /// The new fingerprint.
        package let fingerprint: String
    }

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let id = try await RPCError.translating { () throws(ChatError) in try await node.rotateIdentity() }
        let status = await node.status
        return Reply(id: id.description, name: status.name, fingerprint: status.fingerprint)
    }
}

/// Gives the certificate that revokes the node's identity.
package struct RevocationCertificateCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "identity.certificate"
    /// It takes none.
    package static let parameters: [String] = []

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// Shape: 128 bytes; Base64 on the wire.
        package let certificate: Data
    }

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let bytes = try await RPCError.translating { () throws(ChatError) in try await node.revocationCertificate() }
        return Reply(certificate: Data(bytes))
    }
}

/// Revokes an identity for ever.
package struct RevokeIdentityCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "identity.revoke"
    /// The names of its parameters.
    package static let parameters = ["certificate", "own"]

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The peer id of whose identity it is.
        package let id: String
    }

    /// The certificate of any identity; Base64 on the wire.
    package let certificate: Data?
    /// Whether it is the node's own identity; else there is a certificate.
    package let own: Bool?

    /// Makes the call: by a certificate, or for the node's own identity.
    package init(certificate: Data?) {
        self.certificate = certificate
        own = certificate == nil ? true : nil
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        guard (certificate != nil) != (own == true) else {
            throw RPCError(.invalidParameters, "Give either `certificate` or `own`: true.")
        }
        let bytes = certificate.map { [UInt8]($0) }
        let id = try await RPCError.translating { () throws(ChatError) in try await node.revokeIdentity(by: bytes) }
        return Reply(id: id.description)
    }
}
