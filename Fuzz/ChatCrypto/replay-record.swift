#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks records of accepted prekey messages: a decoded record is encoded to the same bytes.
func fuzzReplayRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [[1] + [UInt8](repeating: 7, count: 132)])
    guard let entry = try? ReplayCache.Entry(decoding: SecretBytes(copying: bytes)) else { return }
    precondition(entry.encoded().exposed == bytes)
}
