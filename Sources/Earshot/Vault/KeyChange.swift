import ChatCrypto

/// How the master key of a home gets another protection: it stays the same key, and nothing else is written anew.
///
/// After each step the home opens with the old or with the new passphrase. Where a vault and a key file lie side by side
/// the vault counts: whoever opens it deletes the key file.
package struct KeyChange: Sendable {
    /// What is to be done, in this order.
    package let steps: [HomeStep]

    /// Puts a key under a passphrase, or into a key file where there is none.
    ///
    /// - Throws: `badPassphrase`, or `homeUnusable` where there is not enough memory to stretch it.
    package init(of key: MasterKey, to passphrase: String?, cost: PassphraseCost) throws(ChatError) {
        guard let passphrase else {
            steps = [
                .write(HomeFile.newKey, key.keyFile), .move(HomeFile.newKey, to: HomeFile.key),
                .shred(HomeFile.vault),
            ]
            return
        }
        guard !passphrase.isEmpty else { throw ChatError(.badPassphrase, "A passphrase needs at least one letter.") }
        let vault: VaultFile
        do {
            vault = try VaultFile(closing: key, passphrase: SecretBytes(normalizing: passphrase), cost: cost)
        } catch {
            throw ChatError(.homeUnusable, "The vault could not be made: \(error.reason)")
        }
        steps = [
            .write(HomeFile.newVault, SecretBytes(copying: vault.bytes)),
            .move(HomeFile.newVault, to: HomeFile.vault), .shred(HomeFile.key),
        ]
    }
}
