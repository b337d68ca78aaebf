/// The statement that an identity is no longer to be trusted, signed by this identity itself.
///
/// It is made together with the identity and kept elsewhere, so that it is available when the key is lost or stolen. It
/// names both keys, so any peer can check it. Shape: signing key (32) ‖ agreement key (32) ‖ signature (64). Source:
/// PROTOCOL §9.
public struct RevocationCertificate: Hashable, Sendable {
    /// The identity that it revokes.
    public let identity: PublicIdentity
    /// The encoded certificate.
    public let bytes: [UInt8]

    /// Units: bytes.
    public static let byteCount = 128
    private static let label = Label.revocation

    /// Makes the certificate of a local identity; the bytes are the same every time.
    public init(of owner: Identity) {
        identity = owner.publicIdentity
        bytes = identity.encoded + owner.signing.sign(Self.label, identity.encoded)
    }

    /// Reads and checks a certificate from any peer.
    ///
    /// - Throws: `malformed`, `authenticationFailed`.
    public init(verifying bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == Self.byteCount, let identity = PublicIdentity(decoding: Array(bytes[..<64])) else {
            throw CryptoError(.malformed, "The bytes are not a revocation.")
        }
        guard Ed25519.verify(Array(bytes[64...]), Self.label, identity.encoded, key: identity.signingKey) else {
            throw CryptoError(.authenticationFailed, "The revocation's signature is wrong.")
        }
        self.identity = identity
        self.bytes = bytes
    }
}
