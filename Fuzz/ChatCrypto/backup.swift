#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks backups of identities: a changed backup does not open.
func fuzzBackup(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [example])
    let opened = try? IdentityBackup(opening: bytes, vault, key: key)
    precondition(
        (opened != nil)
            == (bytes.dropFirst(VaultFile.byteCount) == example.dropFirst(VaultFile.byteCount))
    )
}

private let key = MasterKey()
private let vault = required {
    try VaultFile(closing: key, passphrase: SecretBytes(copying: [1]), cost: .small)
}
private let example = required {
    let backup = IdentityBackup(of: people.identities[0], nickname: try Nickname("Alice"))
    return vault.bytes + backup.seal(under: key, beside: vault)
}
