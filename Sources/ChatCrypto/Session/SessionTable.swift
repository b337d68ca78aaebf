/// Everything one identity needs to seal and open messages: its prekeys, and the sessions with all its peers.
///
/// A pure value: it stores, sends and shows nothing. Each step that changes it also gives a `SessionChange`, which has
/// to be durable before a packet leaves or a text is shown. Work on a copy and keep it once the change is written:
///
///     var next = table
///     let (message, change) = try next.seal(content, to: peer, bundle: bundle, at: now)
///     try storage.write(change)
///     table = next
///
/// Invariant: `order` names exactly the peers that have sessions. Source: PROTOCOL §7 and §8.
public struct SessionTable: Sendable {
    /// Whose sessions these are.
    public let identity: Identity
    /// What the published bundle says its owner is called.
    public private(set) var nickname: Nickname?
    var prekeys: PrekeyRing
    var replays = ReplayCache()
    private(set) var peers: [PeerID: PeerSessions] = [:]
    /// Most recently used first: packets are tried in this order.
    private(set) var order: [PeerID] = []
    private var revision: UInt64 = 0
    /// Whether its identity was replaced: it makes no prekeys any more, and what is due to it goes with time.
    public private(set) var isRetired = false
    /// Whether all of it is erased.
    public private(set) var isDestroyed = false

    init(identity: Identity, nickname: Nickname?, prekeys: PrekeyRing) {
        self.identity = identity
        self.nickname = nickname
        self.prekeys = prekeys
    }

    /// The bundle to publish, once the change that brought its prekey is durable.
    public var bundle: IdentityBundle { prekeys.current.bundle }

    /// Whether strangers have used up so much of the published prekey that the next is due, whatever its age.
    public var isPrekeyCrowded: Bool {
        replays.strangerCount(under: bundle.sequence) >= SessionLimits.strangerFlightsPerPrekey / 2
    }

    /// How many sessions there are, retired ones included.
    public var sessionCount: Int { peers.values.reduce(0) { $0 + $1.sessions.count } }

    /// The peers with sessions, most recently used first.
    public var peerIDs: [PeerID] { order }

    /// Whether a message to this peer needs no bundle.
    public func canSeal(to peer: PeerID, at now: UInt32) -> Bool {
        peers[peer]?.primarySession?.canSend(at: now) ?? false
    }

    /// How many messages have gone to this peer since its last one came, on the session that is sent on.
    public func unansweredCount(to peer: PeerID) -> Int {
        peers[peer]?.primarySession?.ratchet.sending.map { Int($0.next) } ?? 0
    }

    /// Whether a peer has written, or answered, on any session that is still here.
    public func isAnswered(by peer: PeerID) -> Bool {
        peers[peer]?.sessions.contains { $0.flight == nil } ?? false
    }

    // MARK: - Ending

    /// Makes no prekeys from here on, because another identity takes this one's place.
    public mutating func retire() {
        isRetired = true
    }

    /// Erases all sessions, prekeys and remembered flights, some ``SessionLimits/maximumExpiriesPerStep`` records a call.
    ///
    /// Call again until `isDestroyed`; nothing is to be opened or sealed any more.
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

    /// Seals the last message of every session with a peer and erases the sessions; waits for nobody.
    ///
    /// The peer does the same for each session when it opens the message.
    public mutating func end(with peer: PeerID, at now: UInt32) -> (messages: [SealedMessage], change: SessionChange) {
        let messages = (peers[peer]?.sessions ?? []).compactMap { session -> SealedMessage? in
            var session = session
            return session.canSend(at: now) ? try? session.seal([], as: .sealed, at: now) : nil
        }
        return (messages, teardown(peer))
    }

    /// Erases all sessions with a peer without a word to it.
    public mutating func teardown(_ peer: PeerID) -> SessionChange {
        replace(peers[peer]?.sessions.map(\.id) ?? [], of: peer)
    }

    /// Makes the next message to a peer begin a new session, if a bundle is at hand then.
    ///
    /// For a peer that is reachable and yet confirms nothing: it may have lost its side of the session.
    public mutating func beginAgain(with peer: PeerID) {
        peers[peer]?.wantsNewSession = true
    }

    // MARK: - Time

    /// Publishes a new prekey if one is due, and deletes what has expired.
    ///
    /// Strangers decide how much expires at once, so one call changes some
    /// ``SessionLimits/maximumExpiriesPerStep`` records; where it gives that many, call again.
    ///
    /// - Parameter now: seconds since 1970 by one's own clock.
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
            for var session in sessions.sessions where session.ratchet.skipped.holdsExpired(at: now) {
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

    /// Changes the nickname in the published bundle, which takes a new prekey.
    public mutating func rename(to nickname: Nickname?, at now: UInt32) -> SessionChange {
        self.nickname = nickname
        return expire(at: now)
    }

    // MARK: - Keeping

    /// Takes up stored sessions of one peer.
    mutating func restore(_ sessions: PeerSessions) {
        peers[sessions.peer.id] = sessions
        order.append(sessions.peer.id)
    }

    /// Puts a peer's next sessions in place of those before, and says what that changes in storage.
    ///
    /// - Parameter used: sessions whose ratchets changed.
    mutating func put(_ next: PeerSessions, used: [SessionID], movesToFront: Bool = true) -> SessionChange {
        var next = next
        let id = next.peer.id
        let before = peers[id]
        revision += 1
        next.revision = revision
        peers[id] = next.sessions.isEmpty ? nil : next
        if next.sessions.isEmpty {
            order.removeAll { $0 == id }
        } else if movesToFront, order.first != id {
            order.removeAll { $0 == id }
            order.insert(id, at: 0)
        }
        var change = SessionChange()
        for session in next.sessions
        where used.contains(session.id) || before?[session.id]?.retiredAt != session.retiredAt {
            change.save(session)
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
