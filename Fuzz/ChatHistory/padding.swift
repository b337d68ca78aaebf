#if !FUZZING
    @testable import ChatHistory
#endif

/// Checks the padding of records: removing it reverses adding it exactly.
func fuzzPadding(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [RecordSeal.pad([1]), RecordSeal.pad([1]) + [UInt8](repeating: 0, count: 64)])
    precondition(RecordSeal.unpad(RecordSeal.pad(bytes)) == bytes)
    if let plaintext = RecordSeal.unpad(bytes) { precondition(RecordSeal.pad(plaintext) == bytes) }
}
