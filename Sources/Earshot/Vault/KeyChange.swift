package import ChatCore
import ChatCrypto

/// How the master key of a home gets another protection: it stays the same key, and nothing else is written anew.
///
/// After each step, and wherever one is cut off, the home opens with the old or with the new passphrase. Where a vault and
/// a key file lie side by side the vault counts: whoever opens it deletes the key file. So neither is overwritten under its
/// own name; what has the name of something new is deleted by whoever opens the home next.
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
                .setAside(HomeFile.vault, as: HomeFile.newVault), .shred(HomeFile.newVault),
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
            .move(HomeFile.newVault, to: HomeFile.vault), .setAside(HomeFile.key, as: HomeFile.newKey),
            .shred(HomeFile.newKey),
        ]
    }
}
