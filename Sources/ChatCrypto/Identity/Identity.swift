/// The secret side of a user's identity: two independent key pairs, made once.
///
/// The signing key signs bundles and statements. The agreement key makes and opens prekey messages. Neither key is ever
/// converted into the other. Source: PROTOCOL §6.
public struct Identity: Sendable {
    /// The public side.
    public let publicIdentity: PublicIdentity
    let signing: Ed25519.SigningKey
    let agreement: X25519.PrivateKey

    private static let version: UInt8 = 1

    /// Makes a new identity.
    public init() {
        self.init(signing: Ed25519.SigningKey(), agreement: X25519.PrivateKey())
    }

    /// Makes an identity from its two stored keys.
    init(signing: Ed25519.SigningKey, agreement: X25519.PrivateKey) {
        self.signing = signing
        self.agreement = agreement
        publicIdentity = PublicIdentity(signing, agreement)
    }

    /// Reads the output of `exported()`.
    ///
    /// - Throws: `malformed` for any other bytes.
    public init(importing record: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == Self.version,
            let signingSeed = reader.secret(32), let agreementSeed = reader.secret(32), reader.isAtEnd
        else { throw CryptoError(.malformed, "The record is not an identity.") }
        self.init(signing: Ed25519.SigningKey(seed: signingSeed), agreement: X25519.PrivateKey(seed: agreementSeed))
    }

    /// Encodes both seeds, for sealed storage only.
    ///
    /// Shape: version 1 (1) ‖ signing seed (32) ‖ agreement seed (32).
    public func exported() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(signing.seed)
        writer.append(agreement.seed)
        return writer.finish()
    }
}
