#if !FUZZING
    @testable import ChatCrypto
#endif

/// Records of one's own identity: what is read is written again as it was.
func fuzzIdentityRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [people.identities[0].exported().exposed])
    guard let identity = try? Identity(importing: SecretBytes(copying: bytes)) else { return }
    precondition(identity.exported().exposed == bytes)
}
