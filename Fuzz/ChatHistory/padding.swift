/// The padding of records: what is taken off is exactly what is put on.
func fuzzPadding(_ input: [UInt8]) {
    precondition(RecordSeal.unpad(RecordSeal.pad(input)) == input)
    if let plaintext = RecordSeal.unpad(input) { precondition(RecordSeal.pad(plaintext) == input) }
}
