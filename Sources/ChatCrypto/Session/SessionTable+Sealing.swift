extension SessionTable {
    /// Seals content for a peer.
    ///
    /// If no session can send, the bundle begins one. As long as the peer has not answered, every message also carries
    /// the prekey message.
    ///
    /// - Parameters:
    ///   - content: 1 to `SessionLimits.maximumContentByteCount` bytes.
    ///   - kind: `sealed`, `live` or `probe`; the result's kind is `prekey` if it carries a prekey message.
    ///   - peer: the recipient.
    ///   - bundle: the newest known bundle of this peer; used only to begin a session.
    ///   - now: seconds since 1970.
    /// - Throws: `contentSize`; `ownIdentity`; `needsBundle` if there is neither session nor bundle; `expired` for a
    ///   bundle outside its validity; `notAnswered` for a `live` or `probe` message without an answered session.
    public mutating func seal(
        _ content: [UInt8],
        as kind: CarrierKind = .sealed,
        to peer: PublicIdentity,
        bundle: PrekeyBundle?,
        at now: UInt32
    ) throws(CryptoError) -> (message: SealedMessage, change: SessionChange) {
        guard !content.isEmpty else { throw CryptoError(.contentSize, "The content is empty.") }
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
        let message = try session.seal(content, as: kind, at: now)
        sessions.update(session)
        return (message, put(sessions, used: [session.id]))
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
