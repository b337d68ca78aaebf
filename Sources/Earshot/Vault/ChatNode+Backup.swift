public import ChatCore
import ChatCrypto

extension ChatNode {
    /// The node's identity, sealed under a passphrase, to be kept elsewhere.
    ///
    /// With it comes neither history nor contacts. Whoever opens it is this node's user to everybody.
    ///
    /// - Parameter passphrase: What the backup is to open with.
    /// - Returns: What `init(restoring:passphrase:_:)` takes.
    /// - Throws: `badPassphrase`, `locked`, or `homeUnusable` where there is not enough memory.
    public func backUpIdentity(passphrase: String) async throws(ChatError) -> [UInt8] {
        try checkRunning()
        guard !passphrase.isEmpty else {
            throw ChatError(.badPassphrase, "A passphrase needs at least one letter.")
        }
        let backup = try await account.identityBackup()
        do {
            let secret = SecretBytes(normalizing: passphrase)
            return try backup.sealed(passphrase: secret, cost: configuration.passphraseCost)
        } catch {
            throw ChatError(.homeUnusable, "The backup could not be made: \(error.reason)")
        }
    }

    /// Makes a home with an identity that was backed up.
    ///
    /// Friends know it again; sessions with them begin anew. It must not be in use in another home at the same time.
    ///
    /// - Parameters:
    ///   - backup: What `backUpIdentity(passphrase:)` gave.
    ///   - passphrase: That of the backup; that of the home is in the settings.
    ///   - configuration: What the node is to be; without a name it is called as it was.
    /// - Throws: `alreadyInitialised` for a home that is not empty, `locked` for a wrong passphrase, `fileUnusable` for what is
    ///   no backup, or what keeps a home from being made.
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
            default: throw ChatError(.fileUnusable, "\(error.reason) Take another copy of it.")
            }
        }
        var settings = configuration
        settings.restored = opened
        settings.name = settings.name ?? opened.nickname.text
        try self.init(settings)
    }
}
