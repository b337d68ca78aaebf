#if !FUZZING
    @testable import ChatCrypto
#endif

/// Records of accepted flights: what is read is written again as it was.
func fuzzReplayRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [[1] + [UInt8](repeating: 7, count: 132)])
    guard let entry = try? ReplayCache.Entry(decoding: SecretBytes(copying: bytes)) else { return }
    precondition(entry.encoded().exposed == bytes)
}
