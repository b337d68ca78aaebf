#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks prekey bundles from any peer, some of them with arbitrary content and a valid signature.
func fuzzBundle(_ input: [UInt8]) {
    var choices = Choices(input)
    let isSigned = choices.flag()
    var bytes = choices.candidate(like: examples)
    if isSigned {
        let fields = Array(bytes.dropLast(64))
        bytes = fields + owner.signing.sign(.bundle, fields)
    }
    guard let bundle = try? PrekeyBundle(verifying: bytes) else { return }
    precondition(bundle.bytes == bytes && bytes.starts(with: [1] + bundle.identity.encoded))
    precondition(bundle.notAfterHour > bundle.createdHour && bundle.version == 1)
    precondition((try? KEM768.encapsulate(to: bundle.kemPrekey)) != nil)
    precondition(bundle.nickname?.bytes.isEmpty != true && !bundle.supersedes(bundle))
    for now in [0, People.now, .max] { _ = bundle.isUsable(at: now) }
    var recordStore = TrustStore(owner: people.identities[0].publicIdentity)
    _ = recordStore.see(bundle, at: People.now)
}

private let owner = people.identities[1]

/// A bundle of this version, and one with an extension.
private let examples: [[UInt8]] = {
    let bytes = people.tables[1].bundle.bytes
    let extended = bytes[..<1_293] + [0, 5, 1, 1, 9, 2, 0] + bytes[1_295...]
    return [bytes, Array(extended)]
}()
