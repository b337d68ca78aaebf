/// All sessions with one peer, of which at most one is used for sending.
///
/// Invariant: at most `SessionLimits.maximumSessionsPerPeer` sessions, oldest first; the primary is one of them and the
/// only one not retired. Source: PROTOCOL §7.
struct PeerSessions: Sendable {
    let peer: PublicIdentity
    private(set) var sessions: [Session] = []
    private(set) var primary: SessionID?
    /// Whether the peer seems not to understand the primary session; the flag lasts until the next session is made.
    var wantsNewSession = false
    /// The revision of the table when these sessions changed last.
    var revision: UInt64 = 0

    /// Starts without sessions.
    init(peer: PublicIdentity) {
        self.peer = peer
    }

    /// Restores stored sessions; nil if they break the invariant.
    init?(peer: PublicIdentity, restoring stored: [Session]) {
        let primaries = stored.filter { $0.retiredAt == nil }
        guard stored.count <= SessionLimits.maximumSessionsPerPeer, primaries.count <= 1,
            stored.allSatisfy({ $0.peer == peer })
        else { return nil }
        self.peer = peer
        sessions = stored.sorted { ($0.lastUsed, $0.id) < ($1.lastUsed, $1.id) }
        primary = primaries.first?.id
    }

    /// The session with an ID; nil if there is none.
    subscript(id: SessionID) -> Session? {
        sessions.first { $0.id == id }
    }

    /// The session that is used for sending; nil if there is none.
    var primarySession: Session? { primary.flatMap { self[$0] } }

    /// Replaces a session by its next state.
    mutating func update(_ session: Session) {
        guard let index = sessions.firstIndex(where: { $0.id == session.id }) else { return }
        sessions[index] = session
    }

    /// Adds a session that this side has begun, and uses it for sending from now on.
    mutating func begin(_ session: Session, at now: UInt32) {
        sessions.append(session)
        makePrimary(session.id, at: now)
        wantsNewSession = false
        evict()
    }

    /// Adds a session that the peer has begun.
    ///
    /// If both sides began at the same time, both keep the session with the smaller ID.
    mutating func accept(_ session: Session, at now: UInt32) {
        sessions.append(session)
        if let current = primarySession, current.prekeyMessage != nil {
            makePrimary(min(current.id, session.id), at: now)
        } else {
            makePrimary(session.id, at: now)
        }
        wantsNewSession = false
        evict()
    }

    /// Notes the session on which the peer sends, and the time by the peer's clock.
    ///
    /// If the peer sent on a retired session after it had begun the primary one, it knows and uses both. Both sides
    /// then keep the session with the smaller ID.
    mutating func peerSent(on id: SessionID, sentAt: UInt32, at now: UInt32) {
        guard id != primary, let current = primarySession, case .peer = current.origin,
            sentAt > current.prekeyMessageMadeAt
        else { return }
        makePrimary(min(id, current.id), at: now)
    }

    /// Removes a session.
    mutating func remove(_ id: SessionID) {
        sessions.removeAll { $0.id == id }
        if primary == id { primary = nil }
    }

    /// Makes one session the primary and retires the others.
    private mutating func makePrimary(_ id: SessionID, at now: UInt32) {
        primary = id
        for index in sessions.indices {
            if sessions[index].id == id {
                sessions[index].retiredAt = nil
            } else if sessions[index].retiredAt == nil {
                sessions[index].retiredAt = now
            }
        }
    }

    /// Removes the session with the oldest last use if there are too many.
    private mutating func evict() {
        while sessions.count > SessionLimits.maximumSessionsPerPeer,
            let oldest = sessions.filter({ $0.id != primary }).min(by: { $0.lastUsed < $1.lastUsed })
        {
            sessions.removeAll { $0.id == oldest.id }
        }
    }
}
