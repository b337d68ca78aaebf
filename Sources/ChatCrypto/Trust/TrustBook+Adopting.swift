extension TrustBook {
    /// Takes up somebody of whom an export tells: as at first use, whatever was compared before; who is known stays as is.
    ///
    /// - Parameters:
    ///   - identity: Whose keys.
    ///   - name: What they called themselves.
    ///   - isBlocked: Whether they were blocked.
    ///   - now: Units: seconds since 1970.
    public mutating func adopt(
        _ identity: PublicIdentity,
        named name: Nickname?,
        isBlocked: Bool,
        at now: UInt32
    ) -> TrustChange {
        guard !isOwn(identity.id), self[identity.id]?.isPinned != true else { return TrustChange() }
        var change = meet(identity, at: now)
        guard var peer = self[identity.id] else { return change }
        peer.isPinned = true
        peer.priorState = .tofu
        peer.state = isBlocked ? .blocked : .tofu
        peer.rename(petname: peer.petname, nickname: peer.nickname ?? name)
        change.append(put(peer))
        return change
    }
}
