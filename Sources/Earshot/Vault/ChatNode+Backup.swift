public import ChatCore
import ChatCrypto

extension ChatNode {
    /// Returns the node's identity, sealed under a passphrase, to be kept elsewhere.
    ///
    /// The backup contains neither history nor contacts. Everyone takes the person who opens it for this node's user.
    ///
    /// - Parameter passphrase: The passphrase of the backup.
    /// - Returns: The bytes for `init(restoring:passphrase:_:)`.
    /// - Throws: `badPassphrase`, `locked`, or `homeUnusable` if there is not enough memory.
    public func backUpIdentity(passphrase: String) async throws(ChatError) -> [UInt8] {
        try checkRunning()
        guard !passphrase.isEmpty else {
            throw ChatError(.badPassphrase, "A passphrase needs at least one character.")
        }
        let backup = try await account.identityBackup()
        do {
            let secret = SecretBytes(normalizing: passphrase)
            return try backup.sealed(passphrase: secret, cost: configuration.passphraseCost)
        } catch {
            throw ChatError(.homeUnusable, "The backup could not be created: \(error.reason)")
        }
    }

    /// Creates a home with an identity from a backup.
    ///
    /// Contacts recognize the identity; sessions with them start over. The identity must not be in use in another home
    /// at the same time.
    ///
    /// - Parameters:
    ///   - backup: The bytes from `backUpIdentity(passphrase:)`.
    ///   - passphrase: The passphrase of the backup; that of the home is in the settings.
    ///   - configuration: The node's settings; without a name, the nickname in the backup is used.
    /// - Throws: `alreadyInitialised` for a home that is not empty, `locked` for a wrong passphrase, `fileUnusable` if
    ///   the bytes are no backup, `homeNewer`, or the reason why a home cannot be created.
    public init(
        restoring backup: [UInt8],
        passphrase: String,
        _ configuration: ChatConfiguration
    ) throws(ChatError) {
        let opened: IdentityBackup
        do {
            opened = try IdentityBackup(opening: backup, passphrase: SecretBytes(normalizing: passphrase))
        } catch {
            switch error.code {
            case .wrongPassphrase: throw ChatError(.locked, "The passphrase of the backup is wrong.")
            case .unknownVersion: throw ChatError(.homeNewer, "\(error.reason) Update Earshot.")
            case .outOfMemory:
                throw ChatError(.homeUnusable, "Opening the backup needs more free memory.")
            default: throw ChatError(.fileUnusable, "\(error.reason) Use another copy of it.")
            }
        }
        var settings = configuration
        settings.restored = opened
        settings.name = settings.name ?? opened.nickname.text
        try self.init(settings)
    }
}
