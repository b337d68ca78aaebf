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

    /// Derives the secrets at the end of the handshake.
    init(_ noise: SymmetricState) {
        transcriptHash = noise.hash
        (rootKey, initiatorHeaderKey, responderNextHeaderKey) = HKDF.derive3(
            salt: noise.hash,
            inputKey: noise.chainingKey,
            info: Label.prekeyMessageSplit
        )
    }

    var sessionID: SessionID { SessionID(transcriptHash: transcriptHash) }
}
