#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks records of prekeys: a decoded record is encoded to the same bytes.
func fuzzPrekeyRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [people.prekey.encoded().exposed])
    guard let prekey = try? Prekey(decoding: SecretBytes(copying: bytes)) else { return }
    precondition(prekey.encoded().exposed == bytes)
    for hour in [0, People.now / 3_600, .max] { _ = prekey.isDeletable(atHour: hour) }
}
