import ChatCrypto

/// The peers that were seen or whose prekey bundles arrived: keys for new sessions, the time, and profiles.
struct KnownPeers: Sendable {
    /// A peer that was seen or whose prekey bundle is known.
    struct Entry: Sendable {
        /// The keys.
        let identity: PublicIdentity
        /// The newest prekey bundle; nil if none has arrived.
        fileprivate(set) var bundle: PrekeyBundle?
        /// The time at which the last packet came from the peer.
        ///
        /// Units: milliseconds since 1970; 0 for never.
        fileprivate(set) var lastSeen: UInt64 = 0
        /// The `lastSeen` that the store has.
        fileprivate var storedLastSeen: UInt64 = 0
        /// The profile that the peer stated last.
        fileprivate(set) var profile = ProfileStatement()
        /// The hubs at which the peer reads mail, as it stated them last.
        fileprivate(set) var hubs = HubStatement()
        /// The revision of the own list of hubs that the peer has confirmed last; 0 for none.
        fileprivate(set) var knownHubs: UInt64 = 0

        /// The entry as the store keeps it.
        var record: ProtoPeerRecord {
            var record = ProtoPeerRecord()
            record.signingKey = .bytes(identity.signingKey)
            record.agreementKey = .bytes(identity.agreementKey)
            record.bundle = .bytes(bundle?.bytes ?? [])
            record.lastSeen = storedLastSeen
            if profile.revision > 0 { record.profile = profile.encoded }
            if hubs.revision > 0 { record.hubs = hubs.encoded }
            record.knownHubs = knownHubs
            return record
        }
    }

    private var entries: [PeerID: Entry] = [:]

    /// The entry of a peer; nil for one that was never seen.
    subscript(peer: PeerID) -> Entry? { entries[peer] }

    /// Whether a peer was seen within ``ChatLimits/reachableAge``.
    ///
    /// - Parameter wall: Units: milliseconds since 1970.
    func isReachable(_ peer: PeerID, at wall: UInt64) -> Bool {
        let lastSeen = entries[peer]?.lastSeen ?? 0
        // After a clock was set back, a time in the future says nothing.
        return lastSeen > 0 && lastSeen <= wall + ChatLimits.reachableAge && lastSeen + ChatLimits.reachableAge > wall
    }

    /// Whether a prekey bundle is valid now, and newer than the known one or a replacement for an expired one.
    func isChange(_ bundle: PrekeyBundle, at now: UInt32) -> Bool {
        guard let known = entries[bundle.identity.id]?.bundle else { return bundle.isUsable(at: now) }
        return bundle.isUsable(at: now) && (bundle.supersedes(known) || !known.isUsable(at: now) && known != bundle)
    }

    /// Restores a stored record; nil for one whose keys cannot be read.
    mutating func restore(_ record: ProtoPeerRecord) -> Entry? {
        let keys = PublicIdentity(
            signingKey: [UInt8](record.signingKey),
            agreementKey: [UInt8](record.agreementKey)
        )
        guard let keys else { return nil }
        let entry = Entry(
            identity: keys,
            bundle: try? PrekeyBundle(verifying: [UInt8](record.bundle)),
            lastSeen: record.lastSeen.bounded,
            storedLastSeen: record.lastSeen.bounded,
            profile: ProfileStatement(record.profile),
            hubs: HubStatement(record.hubs) ?? HubStatement(),
            knownHubs: record.knownHubs
        )
        entries[keys.id] = entry
        return entry
    }

    /// Forgets the unknown peer not seen for the longest time if there is no room for one more peer; returns its id.
    mutating func makeRoom(for peer: PeerID, isUnknownPeer: (PeerID) -> Bool) -> PeerID? {
        guard entries[peer] == nil, entries.count >= ChatLimits.bundleCount else { return nil }
        let unknownPeers = entries.filter { isUnknownPeer($0.key) }
        let oldest = unknownPeers.min { ($0.value.lastSeen, $0.key) < ($1.value.lastSeen, $1.key) }
        if let oldest { entries[oldest.key] = nil }
        return oldest?.key
    }

    /// Notes that a packet came from a peer; returns whether the store has to record it.
    mutating func discover(_ identity: PublicIdentity, _ bundle: PrekeyBundle?, at wall: UInt64) -> Bool {
        var entry = entries[identity.id] ?? Entry(identity: identity)
        entry.bundle = bundle ?? entry.bundle
        entry.lastSeen = wall
        let isStored = wall >= entry.storedLastSeen && wall - entry.storedLastSeen < ChatLimits.lastSeenStep
        let isChange = bundle != nil || !isStored
        if isChange { entry.storedLastSeen = wall }
        entries[identity.id] = entry
        return isChange
    }

    /// Takes a peer's profile; returns whether it differs, nil for one that is not newer.
    mutating func take(_ stated: ProfileStatement, of peer: PeerID) -> Bool? {
        guard let entry = entries[peer], stated.revision > entry.profile.revision else { return nil }
        entries[peer]?.profile = stated
        return stated.profile != entry.profile.profile
    }

    /// Takes a peer's list of hubs; returns whether it differs, nil for one that is not newer.
    mutating func take(_ stated: HubStatement, of peer: PeerID) -> Bool? {
        guard let entry = entries[peer], stated.revision > entry.hubs.revision else { return nil }
        entries[peer]?.hubs = stated
        return stated.hubs != entry.hubs.hubs
    }

    /// Notes a revision of the own list of hubs that a peer knows; false if it knew that one or a later one.
    mutating func noteHubs(_ revision: UInt64, knownTo peer: PeerID) -> Bool {
        guard let entry = entries[peer], revision > entry.knownHubs else { return false }
        entries[peer]?.knownHubs = revision
        return true
    }
}
