import Bytes
import Synchronization

/// The public side of a user's identity: the two public keys and the ID that they certify.
///
/// Invariant: `id` is the hash of the two keys. Source: PROTOCOL §6.
public struct PublicIdentity: Hashable, Codable, Sendable {
    /// The Ed25519 key that signs bundles and statements.
    ///
    /// Shape: 32 bytes.
    public let signingKey: [UInt8]
    /// The X25519 key for prekey messages.
    ///
    /// Shape: 32 bytes.
    public let agreementKey: [UInt8]
    /// The hash of both keys.
    public let id: PeerID
    /// The fingerprint, once it was asked for; all copies of the identity share it.
    private let known: KnownFingerprint

    /// Units: bytes of both keys together.
    static let byteCount = 64

    /// Makes the identity of two public keys; any count but 32 bytes each is refused.
    public init?(signingKey: [UInt8], agreementKey: [UInt8]) {
        guard signingKey.count == 32, agreementKey.count == 32 else { return nil }
        self.signingKey = signingKey
        self.agreementKey = agreementKey
        id = PeerID(signingKey: signingKey, agreementKey: agreementKey)
        known = KnownFingerprint()
    }

    /// Reads the output of `encoded`; any count but 64 bytes is refused.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(signingKey: Array(bytes[..<32]), agreementKey: Array(bytes[32...]))
    }

    /// Makes the identity of a local key pair, whose byte counts need no check.
    init(_ signing: Ed25519.SigningKey, _ agreement: X25519.PrivateKey) {
        signingKey = signing.publicKey
        agreementKey = agreement.publicKey
        id = PeerID(signingKey: signingKey, agreementKey: agreementKey)
        known = KnownFingerprint()
    }

    /// The encoded keys.
    ///
    /// Shape: signing key (32) ‖ agreement key (32).
    var encoded: [UInt8] { signingKey + agreementKey }

    /// Decodes an identity from the hexadecimal digits of both keys.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let identity = Hex.bytes(text).flatMap { PublicIdentity(decoding: $0) }
        self = try decoder.checked(identity, "The text is no public identity: 128 hexadecimal digits.")
    }

    /// Encodes the hexadecimal digits of both keys as one string: the signing key, then the agreement key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Hex.text(encoded))
    }

    /// Computes the 30 digits that people compare; the first call takes about 5,000 hashes, later ones of any copy none.
    public func fingerprint() -> Fingerprint {
        known.value { Fingerprint(of: self) }
    }

    /// Compares the keys.
    public static func == (left: PublicIdentity, right: PublicIdentity) -> Bool {
        left.signingKey == right.signingKey && left.agreementKey == right.agreementKey
    }

    /// Hashes the ID, which stands for both keys.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The fingerprint of one identity, computed at the first request.
private final class KnownFingerprint: Sendable {
    private let fingerprint = Mutex<Fingerprint?>(nil)

    func value(computing compute: () -> Fingerprint) -> Fingerprint {
        fingerprint.withLock { known in
            let value = known ?? compute()
            known = value
            return value
        }
    }
}
