import Bytes

/// The envelopes that a node stores in memory for nodes that come later.
///
/// Envelopes are identified by the first 8 bytes of their id. Only one author can create two with the same bytes, and
/// harms only their own envelopes.
/// Invariants: `order` lists every entry by ascending sequence; the shares' counts, `byteCount`, `digest`,
/// `awaitingRelease` and `released` describe exactly `entries`; `expiries` has at least one time per entry, none later
/// than due.
/// A full store evicts the least important, shortest-lived envelope of the neighbour with the largest share. Own
/// envelopes are evicted only for own ones.
///
/// Source: PROTOCOL §5 flooding and store.
package struct EnvelopeStore: Sendable {
    let limits: StoreLimits
    private let kinds: KindPolicy
    var entries: [UInt64: StoredEnvelope] = [:]
    var shares: [NodeID?: StoreShare] = [:]
    private var order: [Slot] = []
    /// The position in the order of arrival of the next envelope.
    private(set) var nextSequence: UInt64 = 1
    private var awaitingRelease: [[UInt8]: Set<UInt64>] = [:]
    /// The number of stored envelopes that prove each release hash.
    private var released: [[UInt8]: Int] = [:]
    private var expiries = PriorityQueue<StoreShare.Candidate>()
    private var tombstones: Tombstones
    /// The number of envelopes evicted to make room, including new ones that did not fit.
    package internal(set) var evictedCount = 0
    /// The number of envelopes removed because a delivery proof showed that they had arrived.
    package private(set) var releasedCount = 0

    /// Whether changes are recorded for a log.
    package var notesChanges = false
    private var changes: [StoreRecord] = []

    /// The size of the stored, encoded envelopes.
    ///
    /// Units: bytes.
    package private(set) var byteCount = 0
    /// The exclusive or of a mix of the ids of all envelopes that are offered to neighbours.
    package private(set) var digest: UInt64 = 0
    /// The number of envelopes offered to neighbours: those with more than a minute of life left.
    package private(set) var offeredCount = 0

    private struct Slot: Sendable {
        let sequence: UInt64
        let shortID: UInt64
    }

    /// The life below which envelopes are no longer offered.
    package static let leastOfferedLife: Duration = .seconds(60)
    /// The time by which a tombstone outlasts the envelope's life, since copies elsewhere may be a few ticks late.
    package static let tombstoneGrace: Duration = .seconds(600)

    /// Creates an empty store.
    package init(limits: StoreLimits, kinds: KindPolicy) {
        self.limits = limits
        self.kinds = kinds
        tombstones = Tombstones(limit: limits.tombstoneCount)
    }

    // MARK: - Reading

    /// The number of stored envelopes.
    package var count: Int { entries.count }

    /// The number of removed envelopes that are still remembered.
    package var tombstoneCount: Int { tombstones.count }

    /// Returns the envelope with this short id.
    package subscript(shortID: UInt64) -> StoredEnvelope? { entries[shortID] }

    /// Returns whether the envelope is or was stored, so that it need not be requested.
    package func knows(_ shortID: UInt64, now: MeshInstant) -> Bool {
        entries[shortID] != nil || tombstones.contains(shortID, now: now)
    }

    /// Returns whether a delivery proof for this hash is stored.
    package func isReleased(_ proofHash: [UInt8]) -> Bool {
        released[proofHash] != nil
    }

    /// Returns the envelope at this position in the order of arrival.
    package func envelope(at sequence: UInt64) -> StoredEnvelope? {
        let index = firstIndex(from: sequence)
        guard index < order.count, order[index].sequence == sequence else { return nil }
        return entry(of: order[index])
    }

    /// Returns the next short ids to offer from a position on, and the position at which to continue.
    package func offers(from sequence: UInt64, limit: Int) -> (shortIDs: [UInt64], next: UInt64) {
        var shortIDs: [UInt64] = []
        var index = firstIndex(from: sequence)
        while index < order.count, shortIDs.count < limit {
            if let entry = entry(of: order[index]), entry.isOffered {
                shortIDs.append(entry.id.shortID)
            }
            index += 1
        }
        return (shortIDs, index < order.count ? order[index].sequence : nextSequence)
    }

    /// Returns everything that a log of the store must contain, in the order of arrival.
    func records(now: MeshInstant) -> [StoreRecord] {
        order.compactMap { entry(of: $0)?.record(now: now) } + tombstones.records(now: now)
    }

    /// The approximate size of those records in a log.
    ///
    /// Units: bytes.
    var recordByteCount: Int {
        byteCount + entries.count * StoreLogFormat.heldByteCount + tombstones.count * StoreLogFormat.removedByteCount
    }

    /// The time of the next change of an envelope's state: it stops being offered, or its life ends.
    package var nextDeadline: MeshInstant { expiries.first?.deadline ?? .distantFuture }

    // MARK: - Changing

    /// Stores an envelope, if it fits or others can be evicted for it; returns false if it was evicted itself, or its
    /// kind is not stored.
    ///
    /// The envelope must not be stored already; that would be a programming error.
    ///
    /// - Parameter isOld: Whether the life of the envelope is only what a neighbour said.
    package mutating func insert(
        _ envelope: Envelope,
        id: EnvelopeID,
        proofHashes: [[UInt8]],
        origin: NodeID?,
        isOld: Bool,
        now: MeshInstant
    ) -> Bool {
        let shortID = id.shortID
        precondition(entries[shortID] == nil, "already stored")
        guard let rule = kinds[envelope.kind], rule.storage != .nowhere else { return false }
        let deadline = StoragePolicy.deadline(life: envelope.life, now: now)
        let entry = StoredEnvelope(
            id: id,
            sequence: nextSequence,
            envelope: envelope,
            rule: rule,
            proofHashes: proofHashes,
            deadline: deadline,
            origin: origin,
            isOffered: false,
            isOld: isOld
        )
        nextSequence += 1
        tombstones.remove(shortID)
        entries[shortID] = entry
        order.append(Slot(sequence: entry.sequence, shortID: shortID))
        byteCount += entry.byteCount
        addToShare(entry)
        index(entry)
        review(shortID, now: now)
        evict(now: now)
        compact()
        guard let kept = entries[shortID] else { return false }
        note(kept.record(now: now))
        return true
    }

    /// Extends an envelope's life, if `life` from now on is at least a tick more than it has.
    package mutating func raise(_ shortID: UInt64, life: UInt16, now: MeshInstant) {
        let deadline = StoragePolicy.deadline(life: life, now: now)
        let tick = Duration.nanoseconds(StoragePolicy.tickNanoseconds)
        guard let entry = entries[shortID], deadline >= entry.deadline.advanced(by: tick) else { return }
        entries[shortID]?.deadline = deadline
        review(shortID, now: now)
        compact()
        noteRenewal(of: shortID, now: now)
    }

    /// Gives an old envelope the longest life, since another neighbour has it as new; returns false if it is not old.
    mutating func refresh(_ shortID: UInt64, now: MeshInstant) -> Bool {
        guard let entry = entries[shortID], entry.isOld else { return false }
        entries[shortID]?.isOld = false
        raise(shortID, life: entry.rule.longestLife, now: now)
        return true
    }

    /// Makes an envelope this node's own, so that envelopes of others never displace it.
    package mutating func adopt(_ shortID: UInt64, now: MeshInstant) {
        guard var entry = entries[shortID], entry.origin != nil else { return }
        removeFromShare(entry)
        entry.origin = nil
        entry.isOld = false
        entries[shortID] = entry
        addToShare(entry)
        noteRenewal(of: shortID, now: now)
    }

    /// Whether anything has changed since the last call of `takeChanges`.
    var hasChanges: Bool { !changes.isEmpty }

    /// Returns the changes since the last call.
    mutating func takeChanges() -> [StoreRecord] {
        defer { changes = [] }
        return changes
    }

    /// Removes every message with this release hash.
    package mutating func release(_ proofHash: [UInt8], now: MeshInstant) {
        for shortID in (awaitingRelease[proofHash] ?? []).sorted() {
            remove(shortID, now: now)
            releasedCount += 1
        }
    }

    /// Remembers an unwanted envelope as if it had been stored.
    package mutating func addTombstone(_ shortID: UInt64, life: UInt16, now: MeshInstant) {
        addTombstone(shortID, deadline: StoragePolicy.deadline(life: life, now: now), now: now)
    }

    /// Removes an envelope if it is stored, and remembers it for `life`.
    mutating func forget(_ shortID: UInt64, life: UInt16, now: MeshInstant) {
        remove(shortID, now: now)
        tombstones.insert(shortID, until: StoragePolicy.deadline(life: life, now: now), now: now)
    }

    /// Removes envelopes without life.
    package mutating func expire(now: MeshInstant) {
        while let first = expiries.first, first.deadline <= now {
            _ = expiries.removeFirst()
            review(first.shortID, now: now)
        }
    }

    /// Removes an envelope and leaves a tombstone.
    ///
    /// An old one whose life has ended leaves none: its life was hearsay, and it may live longer elsewhere.
    mutating func remove(_ shortID: UInt64, now: MeshInstant) {
        setOffered(shortID, false)
        guard let entry = entries.removeValue(forKey: shortID) else { return }
        byteCount -= entry.byteCount
        removeFromShare(entry)
        unindex(entry)
        guard entry.deadline > now || !entry.isOld else { return }
        addTombstone(shortID, deadline: entry.deadline, now: now)
    }

    // MARK: - Details

    private func firstIndex(from sequence: UInt64) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if order[middle].sequence < sequence {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func entry(of slot: Slot) -> StoredEnvelope? {
        guard let entry = entries[slot.shortID], entry.sequence == slot.sequence else { return nil }
        return entry
    }

    private mutating func index(_ entry: StoredEnvelope) {
        for proofHash in entry.proofHashes {
            if entry.rule.deliveryProof == .given {
                released[proofHash, default: 0] += 1
            } else {
                awaitingRelease[proofHash, default: []].insert(entry.id.shortID)
            }
        }
    }

    /// The number of release hashes that stored delivery proofs prove.
    var releaseCount: Int { released.count }

    private mutating func unindex(_ entry: StoredEnvelope) {
        for proofHash in entry.proofHashes {
            if entry.rule.deliveryProof == .given {
                released[proofHash] = released[proofHash].flatMap { $0 > 1 ? $0 - 1 : nil }
            } else {
                awaitingRelease[proofHash]?.remove(entry.id.shortID)
                if awaitingRelease[proofHash]?.isEmpty == true { awaitingRelease[proofHash] = nil }
            }
        }
    }

    private mutating func addTombstone(_ shortID: UInt64, deadline: MeshInstant, now: MeshInstant) {
        let end = deadline.advanced(by: Self.tombstoneGrace)
        tombstones.insert(shortID, until: end, now: now)
        // For an envelope that expired, the log already contains the end of its life.
        if deadline > now { note(.removed(shortID: shortID, life: StoragePolicy.life(until: end, now: now))) }
    }

    private mutating func note(_ record: StoreRecord?) {
        if notesChanges, let record { changes.append(record) }
    }

    private mutating func noteRenewal(of shortID: UInt64, now: MeshInstant) {
        guard let entry = entries[shortID], entry.rule.storage == .disk else { return }
        let life = StoragePolicy.life(until: entry.deadline, now: now)
        note(.renewed(shortID: shortID, life: life, isOwn: entry.origin == nil))
    }

    /// Updates an envelope's state and schedules the next update.
    private mutating func review(_ shortID: UInt64, now: MeshInstant) {
        guard let entry = entries[shortID] else { return }
        guard entry.deadline > now else { return remove(shortID, now: now) }
        let lastOffer = entry.deadline.advanced(by: .zero - Self.leastOfferedLife)
        setOffered(shortID, lastOffer > now)
        expiries.insert(.init(deadline: lastOffer > now ? lastOffer : entry.deadline, shortID: shortID))
    }

    private mutating func setOffered(_ shortID: UInt64, _ isOffered: Bool) {
        guard let entry = entries[shortID], entry.isOffered != isOffered else { return }
        entries[shortID]?.isOffered = isOffered
        var mixer = SplitMix64(seed: shortID)
        digest ^= mixer.next()
        offeredCount += isOffered ? 1 : -1
    }

    /// Discards stale positions of removed envelopes, so that the lists stay in proportion to the stored envelopes.
    private mutating func compact() {
        if order.count > 2 * entries.count + Self.slack {
            order = order.filter { entry(of: $0) != nil }
        }
        if expiries.count > 2 * entries.count + Self.slack {
            expiries = PriorityQueue(
                entries.values.map {
                    let due = $0.isOffered ? $0.deadline.advanced(by: .zero - Self.leastOfferedLife) : $0.deadline
                    return .init(deadline: due, shortID: $0.id.shortID)
                }
            )
        }
    }

    /// The number of stale positions that a list may have in addition to one per envelope.
    static let slack = 64
}
