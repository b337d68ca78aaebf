public import ChatCore
public import ChatCrypto

extension ChatNode {
    /// Describes what `rotateIdentity()` would do now: the contacts that it notifies, and its effects on groups.
    ///
    /// - Throws: `locked`, or the store's error.
    public func rotationPlan() async throws(ChatError) -> RotationPlan {
        try await account.look { engine in engine.rotationPlan }
    }

    /// Replaces the node's identity by a new one and notifies all contacts through the outbox, offline contacts too.
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
    public func rotateIdentity() async throws(ChatError) -> PeerID {
        try await account.transact { engine in try engine.rotate() }
    }

    /// Returns the certificate that revokes the node's present identity.
    ///
    /// Keep it elsewhere, for the day when the keys are lost or stolen.
    ///
    /// Shape: 128 bytes, the same every time.
    ///
    /// - Throws: `locked`.
    public func revocationCertificate() async throws(ChatError) -> [UInt8] {
        try checkRunning()
        return try await account.look { $0.standing.revocationCertificate.bytes }
    }

    /// Revokes an identity for ever and notifies all contacts through the outbox, offline contacts too.
    ///
    /// Once the own identity is revoked, nothing is written under it any more; `rotateIdentity()` then makes a new one
    /// that nobody knows.
    ///
    /// - Parameter certificate: The certificate of any identity; nil for that of this node's present one.
    /// - Returns: The id of the revoked identity.
    /// - Throws: `fileUnusable` if the certificate is not valid, `limited`, `locked`, or the store's error.
    @discardableResult
    public func revokeIdentity(by certificate: [UInt8]? = nil) async throws(ChatError) -> PeerID {
        let checked: RevocationCertificate?
        do {
            checked = try certificate.map { bytes throws(CryptoError) in try RevocationCertificate(verifying: bytes) }
        } catch {
            throw ChatError(.fileUnusable, "\(error.reason) Use another copy of it.")
        }
        return try await account.transact { engine in try engine.revoke(by: checked) }
    }
}
