package import ChatCrypto
package import Earshot

/// What the methods need of a node for the identity that it has.
package protocol RPCIdentityNode: Sendable {
    /// What a rotation would do now.
    func rotationPlan() async throws(ChatError) -> RotationPlan
    /// Replaces the identity by a new one.
    func rotateIdentity() async throws(ChatError) -> PeerID
    /// The certificate that revokes the identity.
    func revocationCertificate() async throws(ChatError) -> [UInt8]
    /// Revokes an identity, its own where there is no certificate.
    func revokeIdentity(by certificate: [UInt8]?) async throws(ChatError) -> PeerID
}
