/// The values that both sides of a join derive: a key for each direction, used once, and the proofs that both sides
/// have the same keys.
///
/// Source: PROTOCOL §17.
struct JoinKeys: Sendable {
    /// The key that seals the request.
    let toHost: SecretBytes
    /// The key that seals the reply.
    let toJoiner: SecretBytes
    /// The joiner's proof.
    ///
    /// Shape: 32 bytes.
    let joinerTag: [UInt8]
    /// The host's proof.
    ///
    /// Shape: 32 bytes.
    let hostTag: [UInt8]

    /// Completes a run; nil if the other side's point is invalid.
    ///
    /// - Parameter kemSecret: the secret of ML-KEM-768; without it the keys stay secret even if the code and all of
    ///   CPace become known later.
    init?(
        _ run: CPace,
        session: [UInt8],
        otherPoint: [UInt8],
        transcript: CPace.Transcript,
        kemSecret: SecretBytes
    ) {
        guard let shared = run.sharedKey(with: otherPoint, transcript: transcript) else { return nil }
        var inputKey = SecretWriter()
        inputKey.append(shared)
        inputKey.append(kemSecret)
        let (toHost, toJoiner, proofKey) = HKDF.derive3(
            salt: session,
            inputKey: inputKey.finish(),
            info: Label.join
        )
        self.toHost = toHost
        self.toJoiner = toJoiner
        joinerTag = HMACSHA256.code(
            CPace.joined(transcript.initiatorPoint, transcript.initiatorData),
            key: proofKey
        )
        hostTag = HMACSHA256.code(
            CPace.joined(transcript.responderPoint, transcript.responderData),
            key: proofKey
        )
    }
}
