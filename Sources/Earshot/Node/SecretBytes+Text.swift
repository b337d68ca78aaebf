import ChatCrypto
import Foundation

extension SecretBytes {
    /// The UTF-8 of a passphrase in Unicode's compatibility form (NFKC), so that every keyboard spells it alike.
    convenience init(normalizing passphrase: String) {
        self.init(copying: Array(passphrase.precomposedStringWithCompatibilityMapping.utf8))
    }
}
