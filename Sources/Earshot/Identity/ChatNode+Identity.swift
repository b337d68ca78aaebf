public import ChatCore
public import ChatCrypto

extension ChatNode {
    /// What `rotateIdentity()` would do now: whom it tells, and what becomes of groups.
    ///
    /// - Throws: `locked`, or what the store refuses.
    public func rotationPlan() async throws(ChatError) -> RotationPlan {
        try await account.look { engine in engine.rotationPlan }
    }

    /// Replaces the node's identity by a new one and tells all contacts, by the outbox, also those who are away.
    ///
    /// Nickname, contacts, conversations and history stay. Contacts go on to the new identity; who has verified the old
    /// one is asked first, and compares anew. What is sent from here on comes from the new identity; the old one receives
    /// for 8 days, then its keys are destroyed. Of groups see ``RotationPlan``; rooms are not touched.
    ///
    /// - Returns: The new id.
    /// - Throws: `ownsGroup` where a group has to be handed over first, `limited` after 4 rotations in 8 days, `locked`,
    ///   or what the store refuses.
    @discardableResult
    public func rotateIdentity() async throws(ChatError) -> PeerID {
        try await account.transact { engine in try engine.rotate() }
    }

    /// The certificate that revokes the node's present identity, to be kept elsewhere for the day its keys are lost or
    /// stolen.
    ///
    /// Shape: 128 bytes, the same every time.
    ///
    /// - Throws: `locked`.
    public func revocationCertificate() async throws(ChatError) -> [UInt8] {
        try checkRunning()
        return try await account.look { $0.standing.revocationCertificate.bytes }
    }

    /// Revokes an identity for ever and tells all contacts, by the outbox, also those who are away.
    ///
    /// Under one's own that is revoked nothing is written any more; `rotateIdentity()` then makes a new one that nobody
    /// knows.
    ///
    /// - Parameter certificate: The certificate of any identity; nil for that of this node's present one.
    /// - Returns: Whose identity it is.
    /// - Throws: `fileUnusable` for what is no valid certificate, `limited`, `locked`, or what the store refuses.
    @discardableResult
    public func revokeIdentity(by certificate: [UInt8]? = nil) async throws(ChatError) -> PeerID {
        let checked: RevocationCertificate?
        do {
            checked = try certificate.map { bytes throws(CryptoError) in try RevocationCertificate(verifying: bytes) }
        } catch {
            throw ChatError(.fileUnusable, "\(error.reason) Take another copy of it.")
        }
        return try await account.transact { engine in try engine.revoke(by: checked) }
    }
}
