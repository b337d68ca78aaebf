/// The prekeys of one identity and its sessions with all peers: all state that it needs to seal and open messages.
///
/// A pure value: it stores, sends and shows nothing. Each step that changes it also answers a `SessionChange`, which
/// has to be durable before a packet leaves or a text is shown. Work on a copy, and keep the copy once the change is
/// written:
///
///     var next = table
///     let (message, change) = try next.seal([content], to: peer, bundle: bundle, at: now)
///     try storage.write(change)
///     table = next
///
/// Invariant: `order` names exactly the peers that have sessions. Source: PROTOCOL §7 and §8.
public struct SessionTable: Sendable {
    /// The identity that owns these sessions.
    public let identity: Identity
    /// The owner's nickname in the published bundle.
    public private(set) var nickname: Nickname?
    var prekeys: PrekeyRing
    var replays = ReplayCache()
    private(set) var peers: [PeerID: PeerSessions] = [:]
    /// The peers, most recently used first.
    ///
    /// Packets are tried in this order.
    private(set) var order: [PeerID] = []
    private var revision: UInt64 = 0
    /// Whether the identity was replaced; it makes no more prekeys, and its remaining state expires over time.
    public private(set) var isRetired = false
    /// Whether all state is erased.
    public private(set) var isDestroyed = false

    init(identity: Identity, nickname: Nickname?, prekeys: PrekeyRing) {
        self.identity = identity
        self.nickname = nickname
        self.prekeys = prekeys
    }

    /// The prekey bundle to publish, once the change that brought its prekey is durable.
    public var bundle: PrekeyBundle { prekeys.current.bundle }

    /// Whether unknown peers have used the published prekey so often that the next one is due at any age.
    public var isPrekeyCrowded: Bool {
        replays.unknownPeerCount(under: bundle.sequence) >= SessionLimits.unknownPeerMessagesPerPrekey / 2
    }

    /// The number of sessions, including retired ones.
    public var sessionCount: Int { peers.values.reduce(0) { $0 + $1.sessions.count } }

    /// The peers with sessions, most recently used first.
    public var peerIDs: [PeerID] { order }

    /// Whether a message to this peer needs no bundle.
    public func canSeal(to peer: PeerID, at now: UInt32) -> Bool {
        peers[peer]?.primarySession?.canSend(at: now) ?? false
    }

    /// The number of messages sealed for this peer since a new ratchet key of the peer arrived, on the session that
    /// sends.
    public func unansweredCount(to peer: PeerID) -> Int {
        peers[peer]?.primarySession?.ratchet.sending.map { Int($0.next) } ?? 0
    }

    /// Whether a peer has begun, or answered on, any session that still exists.
    public func isAnswered(by peer: PeerID) -> Bool {
        peers[peer]?.sessions.contains { $0.prekeyMessage == nil } ?? false
    }

    /// Returns the mailboxes of the sessions with a peer, that of the primary session first: mail is written to the first,
    /// and read from all.
    public func mailboxes(of peer: PeerID) -> [Mailboxes] {
        guard let sessions = peers[peer] else { return [] }
        let primary = sessions.primarySession
        return (primary.map { [$0] } ?? []).map(\.mailboxes)
            + sessions.sessions.filter { $0.id != primary?.id }.map(\.mailboxes)
    }

    /// Whether the session on which messages go to a peer is so old that another one should replace it.
    ///
    /// See ``SessionLimits/renewalSeconds`` and ``resetSession(with:)``.
    public func isOld(with peer: PeerID, at now: UInt32) -> Bool {
        peers[peer]?.primarySession?.isOld(at: now) ?? false
    }

    // MARK: - Ending

    /// Stops making prekeys, because another identity replaces this one.
    public mutating func retire() {
        isRetired = true
    }

    /// Erases all sessions, prekeys and remembered prekey messages, about ``SessionLimits/maximumExpiriesPerStep``
    /// records per call.
    ///
    /// Call it again until `isDestroyed` is true. After the first call, nothing may be opened or sealed.
    public mutating func destroy() -> SessionChange {
        retire()
        var change = SessionChange()
        for peer in order where change.count < SessionLimits.maximumExpiriesPerStep {
            change.append(teardown(peer))
        }
        let rest = max(0, SessionLimits.maximumExpiriesPerStep - change.count)
        change.delete(replays.remove(upTo: rest))
        guard change.count < SessionLimits.maximumExpiriesPerStep else { return change }
        change.delete(prekeys.prekeys)
        isDestroyed = true
        return change
    }

    /// Seals the last message of every session with a peer and erases the sessions at once.
    ///
    /// The peer erases each session when it opens its last message.
    public mutating func end(with peer: PeerID, at now: UInt32) -> (messages: [SealedMessage], change: SessionChange) {
        let messages = (peers[peer]?.sessions ?? []).compactMap { session -> SealedMessage? in
            var session = session
            return session.canSend(at: now) ? try? session.seal([], as: .sealed, at: now) : nil
        }
        return (messages, teardown(peer))
    }

    /// Erases all sessions with a peer without a message to it.
    public mutating func teardown(_ peer: PeerID) -> SessionChange {
        replace(peers[peer]?.sessions.map(\.id) ?? [], of: peer)
    }

    /// Makes the next message to a peer begin a new session, if a prekey bundle is available then.
    ///
    /// Use it for a peer that is reachable but confirms nothing: it may have lost its side of the session.
    public mutating func resetSession(with peer: PeerID) {
        peers[peer]?.wantsNewSession = true
    }

    // MARK: - Time

    /// Publishes a new prekey if one is due, and deletes expired state.
    ///
    /// Unknown peers influence the amount that expires at once, so one call changes about
    /// ``SessionLimits/maximumExpiriesPerStep`` records. If a call answers that many, call again.
    ///
    /// - Parameter now: seconds since 1970 by the local clock.
    public mutating func expire(at now: UInt32) -> SessionChange {
        let hour = now / 3_600
        var change = SessionChange()
        if !isRetired, isPrekeyCrowded || prekeys.isRotationDue(atHour: hour, nickname: nickname) {
            change.delete(prekeys.rotate(of: identity, nickname: nickname, atHour: hour))
            change.save(prekeys.current)
        }
        change.delete(prekeys.expire(atHour: hour))
        change.delete(replays.expire(keeping: prekeys))
        for peer in order {
            guard change.count < SessionLimits.maximumExpiriesPerStep else { break }
            guard var sessions = peers[peer] else { continue }
            let expired = sessions.sessions.filter { $0.isExpired(at: now) }.map(\.id)
            var used: [SessionID] = []
            for var session in sessions.sessions {
                let isLate = session.mailboxes.forgetPast(on: Mailboxes.day(at: now))
                guard isLate || session.ratchet.skipped.holdsExpired(at: now) else { continue }
                session.ratchet.skipped.trim(at: now)
                sessions.update(session)
                used.append(session.id)
            }
            guard !expired.isEmpty || !used.isEmpty else { continue }
            for id in expired { sessions.remove(id) }
            change.append(put(sessions, used: used, movesToFront: false))
        }
        return change
    }

    /// Changes the nickname in the published bundle, which needs a new prekey.
    public mutating func rename(to nickname: Nickname?, at now: UInt32) -> SessionChange {
        self.nickname = nickname
        return expire(at: now)
    }

    // MARK: - Persistence

    /// Restores the stored sessions of one peer.
    mutating func restore(_ sessions: PeerSessions) {
        peers[sessions.peer.id] = sessions
        order.append(sessions.peer.id)
    }

    /// Replaces a peer's sessions and answers the change of the stored records.
    ///
    /// - Parameter used: sessions whose ratchets changed.
    mutating func put(_ next: PeerSessions, used: [SessionID], movesToFront: Bool = true) -> SessionChange {
        var next = next
        let id = next.peer.id
        let before = peers[id]
        revision += 1
        next.revision = revision
        var change = SessionChange()
        for var session in next.sessions
        where used.contains(session.id) || before?[session.id]?.retiredAt != session.retiredAt {
            change.save(session)
            guard session.ratchet.exchange.isDue(at: session.lastUsed) else { continue }
            change.save(session.ratchet.exchange, of: session.id)
            session.ratchet.exchange.noteSaved(at: session.lastUsed)
            next.update(session)
        }
        peers[id] = next.sessions.isEmpty ? nil : next
        if next.sessions.isEmpty {
            order.removeAll { $0 == id }
        } else if movesToFront, order.first != id {
            order.removeAll { $0 == id }
            order.insert(id, at: 0)
        }
        change.delete((before?.sessions ?? []).map(\.id).filter { next[$0] == nil })
        return change
    }

    private mutating func replace(_ removed: [SessionID], of peer: PeerID) -> SessionChange {
        guard var sessions = peers[peer] else { return SessionChange() }
        for id in removed { sessions.remove(id) }
        return put(sessions, used: [], movesToFront: false)
    }
}
