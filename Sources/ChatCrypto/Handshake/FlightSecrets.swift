/// What both sides hold after a first flight: the keys that the ratchet starts from.
///
/// Source: PROTOCOL §7.
struct FlightSecrets: Sendable {
    /// The associated data of every message of the session.
    ///
    /// Shape: 32 bytes.
    let transcriptHash: [UInt8]
    let rootKey: SecretBytes
    /// Opens the headers of the first messages of the side that made the flight.
    let initiatorHeaderKey: SecretBytes
    /// Opens the headers of the first answers.
    let responderNextHeaderKey: SecretBytes

    /// Ends the handshake.
    init(_ noise: SymmetricState) {
        transcriptHash = noise.hash
        (rootKey, initiatorHeaderKey, responderNextHeaderKey) = HKDF.derive3(
            salt: noise.hash,
            inputKey: noise.chainingKey,
            info: Label.flightSplit
        )
    }

    var sessionID: SessionID { SessionID(transcriptHash: transcriptHash) }
}
