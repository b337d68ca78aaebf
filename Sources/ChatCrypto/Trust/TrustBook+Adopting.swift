extension TrustBook {
    /// Takes up an identity of which an export tells; one that is known stays as it is.
    ///
    /// Of the user's own export it is one as at first use, or blocked, whatever was compared before. Of any other file, or
    /// with a name that looks like a contact's, it stays unknown until the user decides.
    ///
    /// - Parameters:
    ///   - identity: The keys.
    ///   - name: The name that it had given itself.
    ///   - isBlocked: Whether it was blocked.
    ///   - isOwn: Whether the export is the user's own beyond doubt.
    ///   - now: Units: seconds since 1970.
    public mutating func adopt(
        _ identity: PublicIdentity,
        named name: Nickname?,
        isBlocked: Bool,
        ofOwnExport isOwn: Bool,
        at now: UInt32
    ) -> TrustChange {
        guard !self.isOwn(identity.id), self[identity.id]?.isPinned != true else { return TrustChange() }
        var change = meet(identity, at: now)
        guard var peer = self[identity.id] else { return change }
        let isClaimant = name.map { name in contacts.contains { $0.isNamed(name) } } ?? false
        peer.isPinned = true
        peer.priorState = .tofu
        peer.state = !isOwn || isClaimant && !isBlocked ? .unknown : isBlocked ? .blocked : .tofu
        peer.rename(petname: peer.petname, nickname: peer.nickname ?? name)
        change.append(put(peer))
        return change
    }
}
