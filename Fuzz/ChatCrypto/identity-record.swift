#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks records of the own identity: a decoded record is encoded to the same bytes.
func fuzzIdentityRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [people.identities[0].exported().exposed])
    guard let identity = try? Identity(importing: SecretBytes(copying: bytes)) else { return }
    precondition(identity.exported().exposed == bytes)
}
