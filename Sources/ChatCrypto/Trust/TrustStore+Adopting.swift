extension TrustStore {
    /// Adds an identity that an export names; a pinned identity stays unchanged.
    ///
    /// If the export is the user's own, the state is that of first use, or blocked, whatever was compared before. For
    /// any other file, or for a name that looks like a contact's, the state stays unknown until the user decides.
    ///
    /// - Parameters:
    ///   - identity: the keys.
    ///   - name: the nickname that the identity had chosen.
    ///   - isBlocked: whether the identity was blocked.
    ///   - isOwn: whether the export is the user's own beyond doubt.
    ///   - now: the time. Units: seconds since 1970.
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
