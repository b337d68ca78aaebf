#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks vaults: a changed vault does not open, and none requires more work than allowed.
func fuzzVault(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [example.bytes])
    guard let vault = try? VaultFile(decoding: bytes) else { return }
    precondition(PassphraseCost.iterationBounds.contains(vault.cost.iterations))
    precondition(PassphraseCost.memoryBounds.contains(vault.cost.memoryKibibytes))
    let isOpened = (try? vault.open(stretched: stretched)) != nil
    precondition(isOpened == (bytes == example.bytes))
}

private let passphrase = SecretBytes(copying: Array("passphrase".utf8))
private let example = required { try VaultFile(closing: MasterKey(), passphrase: passphrase, cost: .small) }

/// The result of the slow step, computed once; its salt is at bytes 17 to 32.
private let stretched = required {
    try VaultFile.stretch(passphrase, salt: Array(example.bytes[17..<33]), cost: .small)
}
