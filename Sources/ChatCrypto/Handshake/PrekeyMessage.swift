import Bytes

/// The prekey message of the handshake PK1; a sender with the recipient's prekey bundle needs no answer.
///
/// It is Noise XK with the responder's ephemeral key published in advance as a prekey, and an encapsulation to its KEM
/// prekey. The sequence comes before the KEM, so that a message for another peer costs one key agreement. The sender's
/// key comes behind it, so that the sender stays hidden if X25519 falls later. Shape: e (32) ‖ sealed prekey sequence
/// (20) ‖ sealed ciphertext (1,104) ‖ sealed agreement key (48) ‖ sealed signing key, time and flags (53). Source:
/// PROTOCOL §7.
struct PrekeyMessage: Sendable {
    /// The bytes that precede the first ratchet message.
    let bytes: [UInt8]
    let secrets: PrekeyMessageSecrets

    /// Units: bytes.
    static let byteCount = 1_257
    /// Units: bytes of the ephemeral key at the start, by which a repeated prekey message is recognised.
    static let ephemeralByteCount = 32
    private static let protocolName = "Earshot_PK1_25519+MLKEM768_AESGCM_SHA256"
    private static let label = Label.prekeyMessage

    /// Makes a prekey message to the owner of `bundle`.
    ///
    /// - Parameter now: seconds since 1970 by the local clock. The other side orders prekey messages by it.
    /// - Throws: `lowOrderPoint` if a key in the bundle is one of the few that make a shared secret public.
    init(from sender: Identity, to bundle: PrekeyBundle, at now: UInt32) throws(CryptoError) {
        let ephemeral = X25519.PrivateKey()
        var noise = Self.start(recipient: bundle.identity)
        noise.mixHash(ephemeral.publicKey)
        noise.mixKey(try ephemeral.sharedSecret(with: bundle.identity.agreementKey))
        var prekeyMessage = ephemeral.publicKey + noise.encryptAndHash(bundle.sequence.bigEndianBytes)
        noise.mixHash(bundle.bytes)
        noise.mixKey(try ephemeral.sharedSecret(with: bundle.prekey))
        let encapsulation = try KEM768.encapsulate(to: bundle.kemPrekey)
        prekeyMessage += noise.encryptAndHash(encapsulation.ciphertext)
        noise.mixKey(encapsulation.secret)
        prekeyMessage += noise.encryptAndHash(sender.agreement.publicKey)
        noise.mixKey(try sender.agreement.sharedSecret(with: bundle.prekey))
        prekeyMessage += noise.encryptAndHash(sender.signing.publicKey + now.bigEndianBytes + [0])
        bytes = prekeyMessage
        secrets = PrekeyMessageSecrets(noise)
    }

    /// Makes the state from which both sides start: the protocol, and the recipient's ID and key.
    static func start(recipient: PublicIdentity) -> SymmetricState {
        var noise = SymmetricState(protocolName: protocolName)
        noise.mixHash(label.bytes + recipient.id.bytes)
        noise.mixHash(recipient.agreementKey)
        return noise
    }
}
