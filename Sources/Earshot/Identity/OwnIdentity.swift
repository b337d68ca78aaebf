public import ChatCore
public import ChatCrypto

/// The identity of a node's user: nickname, profile, backup and the end of it.
public struct OwnIdentity: Sendable {
    let node: ChatNode

    private var account: Account {
        get async throws(ChatError) { try await node.account(ofAny: nil) }
    }

    /// The id of the identity; while the node is locked, as it was before.
    public var id: PeerID { node.own.facts.id }

    /// The nickname of the user; while the node is locked, as it was before.
    public var nickname: String { node.own.facts.nickname }

    /// The digits that others compare with what they see of this identity.
    ///
    /// Shape: 30 digits in groups of five.
    public var fingerprint: String { node.own.facts.fingerprint }

    /// The emoji and color of this node's user, as the contacts of the user see them.
    public var profile: Profile { get async throws(ChatError) { try await account.profile } }

    /// Changes the user's emoji and color, labels that everyone the user talks to can see.
    ///
    /// - Parameter profile: Both labels; nil removes a label.
    /// - Throws: `badName` for text that is not one emoji, or the store's error.
    public func setProfile(_ profile: Profile) async throws(ChatError) {
        try await account.transact { engine in try engine.setProfile(profile) }
    }

    /// Changes the user's nickname.
    ///
    /// - Parameter name: The new nickname.
    /// - Throws: `badName`, or the store's error.
    public func setNickname(_ name: String) async throws(ChatError) {
        let nickname = try NodeOpening.nickname(name)
        try await account.transact { engine in try engine.rename(to: nickname) }
    }

    // MARK: - Inviting

    /// Makes a code with which anybody, in any mesh, can write to this node's user for the first time.
    ///
    /// It works for 90 days, for any number of people, where a hub carries mail between the meshes. It is a secret:
    /// whoever has it sees how much mail lies there. It names the node's hubs, without their logins.
    ///
    /// - Throws: `limited` after 16 codes, `locked`, or the store's error.
    public func invite() async throws(ChatError) -> IdentityCode {
        let (id, token) = try await account.transact { engine in (engine.ownID, try engine.makeInvite()) }
        return IdentityCode(of: id, token, hubs: await node.status.hubs.map(\.address))
    }

    /// Ends all codes that ``invite()`` has made; mail to them is read no more.
    ///
    /// - Returns: Their number.
    /// - Throws: `locked`, or the store's error.
    @discardableResult
    public func endInvites() async throws(ChatError) -> Int {
        try await account.transact { engine in engine.endInvites() }
    }

    // MARK: - Rotating and revoking

    /// Describes what ``rotate()`` would do now: the contacts that it notifies, and its effects on groups.
    ///
    /// - Throws: `locked`, or the store's error.
    public func rotationPlan() async throws(ChatError) -> RotationPlan {
        try await account.read { engine in engine.rotationPlan }
    }

    /// Replaces the identity by a new one and notifies all contacts through the outbox, offline contacts too.
    ///
    /// Nickname, contacts, conversations and history stay. Contacts continue with the new identity. A contact that has
    /// verified the old one is asked first, and compares the safety number again. Messages from now on come from the
    /// new identity; the old one receives for 8 days, then its keys are destroyed. ``RotationPlan`` describes the
    /// effects on groups. Rooms are not affected.
    ///
    /// - Returns: The new id.
    /// - Throws: `ownsGroup` if a group has to be handed over first, `limited` after 4 rotations in 8 days, `locked`,
    ///   or the store's error.
    @discardableResult
    public func rotate() async throws(ChatError) -> PeerID {
        try await account.transact { engine in try engine.rotate() }
    }

    /// Returns the certificate that revokes the present identity.
    ///
    /// Keep it elsewhere, for the day when the keys are lost or stolen.
    ///
    /// Shape: 128 bytes, the same every time.
    ///
    /// - Throws: `locked`.
    public func revocationCertificate() async throws(ChatError) -> [UInt8] {
        try await account.read { engine in engine.identityHistory.revocationCertificate.bytes }
    }

    /// Revokes an identity for ever and notifies all contacts through the outbox, offline contacts too.
    ///
    /// Once the own identity is revoked, nothing is written under it any more; ``rotate()`` then makes a new one that
    /// nobody knows.
    ///
    /// - Parameter certificate: The certificate of any identity; nil for that of this node's present one.
    /// - Returns: The id of the revoked identity.
    /// - Throws: `fileUnusable` if the certificate is not valid, `limited`, `locked`, or the store's error.
    @discardableResult
    public func revoke(by certificate: [UInt8]? = nil) async throws(ChatError) -> PeerID {
        let checked: RevocationCertificate?
        do {
            checked = try certificate.map { bytes throws(CryptoError) in try RevocationCertificate(verifying: bytes) }
        } catch {
            throw ChatError(.fileUnusable, "\(error.reason) Use another copy of it.")
        }
        return try await account.transact { engine in try engine.revoke(by: checked) }
    }

    // MARK: - Backup

    /// Returns the identity, sealed under a passphrase, to be kept elsewhere.
    ///
    /// The backup contains neither history nor contacts. Everyone takes the person who opens it for this node's user.
    ///
    /// - Parameter passphrase: The passphrase of the backup.
    /// - Returns: The bytes for ``ChatNode/restore(_:passphrase:in:name:_:)``.
    /// - Throws: `badPassphrase`, `locked`, or `homeUnusable` if there is not enough memory.
    public func backUp(passphrase: String) async throws(ChatError) -> [UInt8] {
        guard !passphrase.isEmpty else {
            throw ChatError(.badPassphrase, "A passphrase needs at least one character.")
        }
        let backup = try await account.identityBackup()
        let cost = await node.configuration.passphraseCost
        do {
            let secret = SecretBytes(normalizing: passphrase)
            return try backup.sealed(passphrase: secret, cost: cost)
        } catch {
            throw ChatError(.homeUnusable, "The backup could not be created: \(error.reason)")
        }
    }

    /// Opens a backup.
    static func open(_ backup: [UInt8], passphrase: String) throws(ChatError) -> IdentityBackup {
        do {
            return try IdentityBackup(opening: backup, passphrase: SecretBytes(normalizing: passphrase))
        } catch {
            switch error.code {
            case .wrongPassphrase: throw ChatError(.locked, "The passphrase of the backup is wrong.")
            case .unknownVersion: throw ChatError(.homeNewer, "\(error.reason) Update Earshot.")
            case .outOfMemory:
                throw ChatError(.homeUnusable, "Opening the backup needs more free memory.")
            default: throw ChatError(.fileUnusable, "\(error.reason) Use another copy of it.")
            }
        }
    }
}
