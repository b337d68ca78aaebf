package import ChatCore
import ChatCrypto

/// A change of the protection of a home's master key; the key stays the same, and nothing else is rewritten.
///
/// After each step, and if any step is cut off, the home opens with the old or with the new passphrase. If a vault and
/// a key file are both there, the vault counts, and the next opening deletes the key file. So neither is overwritten
/// under its own name, and the next opening deletes files that have the name of a new one.
package struct KeyChange: Sendable {
    /// The steps, in this order.
    package let steps: [HomeStep]

    /// Puts a key under a passphrase, or into a key file without one.
    ///
    /// - Throws: `badPassphrase`, or `homeUnusable` if there is not enough memory to stretch it.
    package init(of key: MasterKey, to protection: Home.Key, cost: PassphraseCost) throws(ChatError) {
        guard let secret = protection.secret else {
            steps = [
                .write(HomeFile.newKey, key.keyFile), .move(HomeFile.newKey, to: HomeFile.key),
                .setAside(HomeFile.vault, as: HomeFile.newVault), .shred(HomeFile.newVault),
            ]
            return
        }
        try protection.check()
        let vault: VaultFile
        do {
            vault = try VaultFile(closing: key, passphrase: secret, cost: protection.cost(cost))
        } catch {
            throw ChatError(.homeUnusable, "The vault could not be created: \(error.reason)")
        }
        steps = [
            .write(HomeFile.newVault, SecretBytes(copying: vault.bytes)),
            .move(HomeFile.newVault, to: HomeFile.vault), .setAside(HomeFile.key, as: HomeFile.newKey),
            .shred(HomeFile.newKey),
        ]
    }
}
