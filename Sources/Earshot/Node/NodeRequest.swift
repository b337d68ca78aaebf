import ChatCore
import ChatCrypto
import Foundation

/// The home that a node is to open, and the identity for it if it has none.
struct NodeRequest: Sendable {
    let home: Home
    /// The nickname of a new identity; nil to require an existing one.
    let name: String?
    /// Whether a home that has an identity is refused.
    var isNew = false
    /// The identity for a new home; nil to make one.
    var restored: IdentityBackup?

    init(_ home: Home, name: String?) {
        self.home = home
        self.name = name
    }
}

extension Home {
    /// The home without the secret that opens it.
    var withoutKey: Home {
        switch self {
        case .memory: .memory
        case .directory(let directory, _): .directory(directory)
        }
    }

    /// Returns the home with this passphrase, if there is one.
    package func with(passphrase: String?) -> Home {
        guard let passphrase, let directory else { return self }
        return .directory(directory, key: .passphrase(passphrase))
    }
}

extension Home.Key {
    /// A passphrase, or the key file for nil.
    package init(passphrase: String?) {
        self = passphrase.map(Home.Key.passphrase) ?? .keyFile
    }

    /// The secret from which the key of a vault is stretched; nil for a key file.
    var secret: SecretBytes? {
        switch self {
        case .keyFile: nil
        case .passphrase(let passphrase): SecretBytes(normalizing: passphrase)
        case .provided(let secret): secret
        }
    }

    /// Throws if the secret protects nothing.
    func check() throws(ChatError) {
        switch self {
        case .keyFile: break
        case .passphrase(let passphrase):
            guard passphrase.isEmpty else { return }
            throw ChatError(.badPassphrase, "A passphrase needs at least one character.")
        case .provided(let secret):
            guard secret.count != MasterKey.byteCount else { return }
            throw ChatError(.badPassphrase, "A provided key has \(MasterKey.byteCount) bytes.")
        }
    }

    /// Returns the cost of a guess at the secret: the least one for a key that nobody can guess.
    func cost(_ chosen: PassphraseCost) -> PassphraseCost {
        if case .provided = self { .small } else { chosen }
    }
}
