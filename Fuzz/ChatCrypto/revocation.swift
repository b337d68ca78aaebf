#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks revocations, some of them with arbitrary content and a valid signature, on a book without peers.
func fuzzRevocation(_ input: [UInt8]) {
    var choices = Choices(input)
    let isSigned = choices.flag()
    var bytes = choices.candidate(like: [RevocationCertificate(of: owner).bytes])
    if isSigned {
        let keys = Array(bytes.prefix(64))
        bytes = keys + owner.signing.sign(.revocation, keys)
    }
    guard let certificate = try? RevocationCertificate(verifying: bytes) else { return }
    precondition(certificate.bytes == bytes && bytes.count == RevocationCertificate.byteCount)
    var recordStore = TrustStore(owner: people.identities[0].publicIdentity)
    _ = recordStore.apply(certificate, at: People.now)
    precondition(recordStore.state(of: certificate.identity.id) == .revoked)
}

private let owner = people.identities[1]
