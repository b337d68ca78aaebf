/// The secret key that signs the operations of a group; its holder is the owner.
///
/// A fresh key is tied to no identity. The owner key of a room is the host's signing key. Source: PROTOCOL §16.
public struct GroupOwnerKey: Sendable {
    let signing: Ed25519.SigningKey

    /// Makes a new key.
    public init() {
        signing = Ed25519.SigningKey()
    }

    /// Takes the signing key of an identity that is used for one room and nothing else.
    public init(of identity: Identity) {
        signing = identity.signing
    }

    init(seed: SecretBytes) {
        signing = Ed25519.SigningKey(seed: seed)
    }

    /// The key that verifies the operations.
    ///
    /// Shape: 32 bytes.
    public var publicKey: [UInt8] { signing.publicKey }
}
