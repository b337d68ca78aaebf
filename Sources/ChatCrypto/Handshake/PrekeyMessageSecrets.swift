/// The keys that both sides hold after a prekey message; the ratchet starts from them.
///
/// Source: PROTOCOL §7.
struct PrekeyMessageSecrets: Sendable {
    /// The associated data of every message of the session.
    ///
    /// Shape: 32 bytes.
    let transcriptHash: [UInt8]
    let rootKey: SecretBytes
    /// The key that opens the headers of the initiator's first messages.
    let initiatorHeaderKey: SecretBytes
    /// The key that opens the headers of the first answers.
    let responderNextHeaderKey: SecretBytes
    /// The secret of epoch 0 of the key exchange inside the session.
    let epochSecret: SecretBytes
    /// The secret from which the tags of distant mailboxes follow; no part of the session uses it.
    let mailboxSecret: SecretBytes

    /// Derives the secrets at the end of the handshake.
    init(_ noise: SymmetricState) {
        transcriptHash = noise.hash
        let keys = HKDF.derive(
            salt: noise.hash,
            inputKey: noise.chainingKey,
            info: Label.prekeyMessageSplit,
            count: 160
        )
        rootKey = keys.slice(0..<32)
        initiatorHeaderKey = keys.slice(32..<64)
        responderNextHeaderKey = keys.slice(64..<96)
        epochSecret = keys.slice(96..<128)
        mailboxSecret = keys.slice(128..<160)
    }

    var sessionID: SessionID { SessionID(transcriptHash: transcriptHash) }
}
