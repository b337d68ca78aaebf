#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks rotations, some of them with arbitrary content and both keys' signatures, on a book that knows the old
/// identity.
func fuzzRotation(_ input: [UInt8]) {
    var choices = Choices(input)
    let isSigned = choices.flag()
    var bytes = choices.candidate(like: [example.bytes])
    if isSigned {
        let fields = Array(bytes.prefix(104))
        bytes = fields + old.signing.sign(.rotationByOldKey, fields) + new.signing.sign(.rotationByNewKey, fields)
    }
    guard let rotation = try? RotationStatement(verifying: bytes) else { return }
    precondition(rotation.bytes == bytes && bytes.count == RotationStatement.byteCount)
    var recordStore = recordStore
    _ = try? recordStore.apply(rotation, from: rotation.oldID, at: choices.flag() ? .max : People.now)
    _ = try? recordStore.apply(rotation, from: rotation.oldID, at: 0)
    _ = try? recordStore.accept(rotation.oldID, at: People.now)
    recordStore.expire(at: .max)
}

private let old = people.identities[1]
private let new = Identity()
private let example = RotationStatement(from: old, to: new, counter: 1, at: People.now)
private let recordStore = required {
    var recordStore = TrustStore(owner: people.identities[0].publicIdentity)
    _ = recordStore.see(people.tables[1].bundle, at: People.now)
    _ = try recordStore.pin(old.publicIdentity.id)
    return recordStore
}
