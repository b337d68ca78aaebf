import Bytes

/// A genuine prekey message for this identity.
///
/// Source: PROTOCOL §7.
struct OpenedPrekeyMessage: Sendable {
    /// The sender of the message; it is certain, because the handshake used the sender's keys.
    let sender: PublicIdentity
    /// The time at which the message was made, by the sender's clock.
    ///
    /// Units: seconds since 1970.
    let madeAt: UInt32
    /// The prekey that the sender used.
    let prekey: Prekey
    let secrets: PrekeyMessageSecrets

    /// Opens a prekey message.
    ///
    /// A message for another peer costs one key agreement and one failed tag.
    ///
    /// - Parameter mayDecapsulate: asked once, when the message is for this identity and the costly part begins.
    /// - Throws: `authenticationFailed` if the message is for another peer or forged, `expired` if this node has
    ///   deleted the prekey, `postponed` if the costly part may not begin, `lowOrderPoint`, `malformed`, and
    ///   `ownIdentity` for a message that this identity made itself.
    init(
        _ prekeyMessage: ArraySlice<UInt8>,
        recipient: Identity,
        prekeys: PrekeyRing,
        mayDecapsulate: () -> Bool = { true }
    ) throws(CryptoError) {
        var fields = ByteReader(prekeyMessage)
        guard prekeyMessage.count == PrekeyMessage.byteCount, let ephemeral = fields.bytes(32),
            let sealedSequence = fields.take(20), let sealedCiphertext = fields.take(1_104),
            let sealedAgreementKey = fields.take(48)
        else { throw CryptoError(.malformed, "A prekey message has \(PrekeyMessage.byteCount) bytes.") }
        var noise = PrekeyMessage.start(recipient: recipient.publicIdentity)
        noise.mixHash(ephemeral)
        noise.mixKey(try recipient.agreement.sharedSecret(with: ephemeral))
        let opened = try noise.decryptAndHash(sealedSequence)
        guard let sequence = UInt32(bigEndianBytes: opened), let prekey = prekeys.prekey(sequence) else {
            throw CryptoError(.expired, "The prekey of the prekey message has been destroyed.")
        }
        noise.mixHash(prekey.bundle.bytes)
        noise.mixKey(try prekey.key.sharedSecret(with: ephemeral))
        let ciphertext = try noise.decryptAndHash(sealedCiphertext)
        guard mayDecapsulate() else {
            throw CryptoError(.postponed, "Too many prekey messages came at once.")
        }
        noise.mixKey(try KEM768.decapsulate(ciphertext, seed: prekey.kemSeed))
        let agreementKey = try noise.decryptAndHash(sealedAgreementKey)
        noise.mixKey(try prekey.key.sharedSecret(with: agreementKey))
        let rest = try noise.decryptAndHash(fields.takeRest())
        guard rest[36] == 0, let madeAt = UInt32(bigEndianBytes: rest[32..<36]),
            let sender = PublicIdentity(signingKey: Array(rest[..<32]), agreementKey: agreementKey)
        else { throw CryptoError(.malformed, "The prekey message has unknown flags.") }
        guard sender.id != recipient.publicIdentity.id else {
            throw CryptoError(.ownIdentity, "The prekey message is this identity's own.")
        }
        self.sender = sender
        self.madeAt = madeAt
        self.prekey = prekey
        secrets = PrekeyMessageSecrets(noise)
    }
}
