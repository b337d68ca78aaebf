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
    precondition(bundle.bytes == bytes && bytes.starts(with: [1, bundle.suites] + bundle.identity.encoded))
    precondition(bundle.notAfterHour > bundle.createdHour && (1...8).contains(bundle.highestSuite))
    precondition(bundle.nickname?.bytes.isEmpty != true && !bundle.supersedes(bundle))
    for now in [0, People.now, .max] { _ = bundle.isUsable(at: now) }
    var recordStore = TrustStore(owner: people.identities[0].publicIdentity)
    _ = recordStore.see(bundle, at: People.now)
}

private let owner = people.identities[1]

/// A current bundle, and one with another suite's key.
private let examples: [[UInt8]] = {
    let bytes = people.tables[1].bundle.bytes
    let later = [1, 3] + bytes[2..<110] + [0, 5, 1, 2, 3, 4, 5] + bytes[112...]
    return [bytes, Array(later)]
}()
