extension SessionTable {
    /// Restores the table from its records, or starts an empty one if there are none.
    ///
    /// - Parameters:
    ///   - records: every record that changes have saved and not deleted, in any order.
    ///   - identity: the identity whose sessions they are.
    ///   - nickname: the nickname for its prekey bundles; nil for an identity that publishes none.
    ///   - isRetired: whether another identity has replaced this one.
    ///   - now: seconds since 1970 by the local clock.
    /// - Returns: the table, and the change to write: a first or new prekey, and deletions that were due.
    /// - Throws: `malformed` if a record is damaged, or does not fit the identity or the other records.
    public static func restore(
        _ records: [StoredRecord],
        identity: Identity,
        nickname: Nickname?,
        isRetired: Bool = false,
        at now: UInt32
    ) throws(CryptoError) -> (table: SessionTable, change: SessionChange) {
        var prekeys: [Prekey] = []
        var sessions: [PeerID: [Session]] = [:]
        var replays = ReplayCache()
        let exchanges = records.lazy.filter { $0.id.kind == .exchange }.map { ($0.id.bytes, $0.value) }
        var restOfExchanges = Dictionary(exchanges) { first, _ in first }
        for record in records {
            switch record.id.kind {
            case .exchange: continue
            case .prekey: prekeys.append(try Prekey(decoding: record.value))
            case .prekeyMessage: replays.insert(try ReplayCache.Entry(decoding: record.value))
            case .session:
                guard let exchange = restOfExchanges.removeValue(forKey: record.id.bytes) else {
                    throw CryptoError(.malformed, "A session has no key exchange.")
                }
                let session = try Session(decoding: record.value, exchange: exchange)
                sessions[session.peer.id, default: []].append(session)
            case .roomHost, .group, .groupMembers, .groupOperation, .groupSecrets, .groupEpoch,
                .groupChains:
                throw CryptoError(.malformed, "The record of a group does not belong in a session table.")
            }
        }
        guard restOfExchanges.isEmpty else {
            throw CryptoError(.malformed, "A key exchange has no session.")
        }
        guard prekeys.allSatisfy({ $0.bundle.identity == identity.publicIdentity }) else {
            throw CryptoError(.malformed, "A prekey belongs to another identity.")
        }
        let first = PrekeyRing(restoring: prekeys)
        let ring =
            first ?? PrekeyRing(Prekey(of: identity, sequence: now / 3_600, nickname: nickname, hour: now / 3_600))
        var table = SessionTable(identity: identity, nickname: nickname, prekeys: ring)
        table.replays = replays
        if isRetired { table.retire() }
        for peer in try Self.peers(of: sessions) { table.restore(peer) }
        var change = SessionChange()
        if first == nil { change.save(ring.current) }
        change.append(table.expire(at: now))
        return (table, change)
    }

    /// Sorts sessions by peer, most recently used first.
    private static func peers(of sessions: [PeerID: [Session]]) throws(CryptoError) -> [PeerSessions] {
        var peers: [(lastUsed: UInt32, sessions: PeerSessions)] = []
        for (_, stored) in sessions {
            guard let first = stored.first, let restored = PeerSessions(peer: first.peer, restoring: stored) else {
                throw CryptoError(.malformed, "The sessions of a peer contradict each other.")
            }
            peers.append((stored.reduce(0) { max($0, $1.lastUsed) }, restored))
        }
        return peers.sorted { ($1.lastUsed, $0.sessions.peer.id) < ($0.lastUsed, $1.sessions.peer.id) }.map(\.sessions)
    }
}
