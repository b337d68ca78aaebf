extension SessionTable {
    /// Seals contents for a peer in one message.
    ///
    /// If no session can send, the bundle begins one. As long as the peer has not answered, every message also carries
    /// the prekey message.
    ///
    /// - Parameters:
    ///   - contents: 1 to `MessageItems.maximumCount`, none of them empty, that take at most `itemsByteCount` bytes
    ///     together; exactly one for a `probe`.
    ///   - kind: `sealed`, `live` or `probe`; the result's kind is `prekey` if it carries a prekey message.
    ///   - peer: the recipient.
    ///   - bundle: the newest known bundle of this peer; used only to begin a session.
    ///   - now: seconds since 1970.
    /// - Throws: `contentSize`; `ownIdentity`; `needsBundle` if there is neither session nor bundle; `expired` for a
    ///   bundle outside its validity; `notAnswered` for a `live` or `probe` message without an answered session.
    public mutating func seal(
        _ contents: [[UInt8]],
        as kind: CarrierKind = .sealed,
        to peer: PublicIdentity,
        bundle: PrekeyBundle?,
        at now: UInt32
    ) throws(CryptoError) -> (message: SealedMessage, change: SessionChange) {
        let counts = 1...(kind == .probe ? 1 : MessageItems.maximumCount)
        guard counts.contains(contents.count), contents.allSatisfy({ !$0.isEmpty }) else {
            throw CryptoError(.contentSize, "A message has 1 to \(counts.upperBound) contents, and none is empty.")
        }
        guard peer.id != identity.publicIdentity.id else {
            throw CryptoError(.ownIdentity, "An identity cannot have a session with itself.")
        }
        let kind = kind == .prekey ? .sealed : kind
        var sessions = peers[peer.id] ?? PeerSessions(peer: peer)
        var session: Session
        if let primary = sessions.primarySession, primary.canSend(at: now),
            !(sessions.wantsNewSession && bundle?.isUsable(at: now) ?? false)
        {
            session = primary
        } else {
            guard kind == .sealed else { throw CryptoError(.notAnswered, "There is no session with the peer yet.") }
            session = try begin(with: peer, bundle: bundle, at: now)
            sessions.begin(session, at: now)
        }
        let message = try session.seal(contents, as: kind, at: now)
        sessions.update(session)
        return (message, put(sessions, used: [session.id]))
    }

    /// Computes the size that the contents of the next message to a peer may have together.
    ///
    /// Units: bytes, as `MessageItems` encodes them.
    public func itemsByteCount(to peer: PeerID, at now: UInt32) -> Int {
        guard let sessions = peers[peer], !sessions.wantsNewSession, let primary = sessions.primarySession,
            primary.canSend(at: now), primary.prekeyMessage == nil
        else { return SessionLimits.maximumFirstItemsByteCount }
        return SessionLimits.maximumItemsByteCount
    }

    private func begin(
        with peer: PublicIdentity,
        bundle: PrekeyBundle?,
        at now: UInt32
    ) throws(CryptoError) -> Session {
        guard let bundle, bundle.identity == peer else {
            throw CryptoError(.needsBundle, "The prekey bundle of the peer is unknown.")
        }
        guard bundle.isUsable(at: now) else {
            throw CryptoError(.expired, "The prekey bundle of the peer has expired or is not valid yet.")
        }
        return try Session(from: identity, to: bundle, at: now)
    }
}
