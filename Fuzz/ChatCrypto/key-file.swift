#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks key files: a decoded file is encoded to the same bytes.
func fuzzKeyFile(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [example])
    guard let key = try? MasterKey(keyFile: SecretBytes(copying: bytes)) else { return }
    precondition(key.keyFile.exposed == bytes)
}

private let example = Array("EARSHOTK".utf8) + [UInt8](repeating: 1, count: MasterKey.byteCount)
