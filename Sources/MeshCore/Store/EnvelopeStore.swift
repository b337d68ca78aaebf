import Bytes

/// The envelopes that a node stores in memory for nodes that come later.
///
/// Envelopes are identified by the first 8 bytes of their id. Only one author can create two with the same bytes, and
/// harms only their own envelopes.
/// Invariants: `order` lists every entry by ascending sequence; `foreign`, `ownCharge`, `byteCount`, `sums`,
/// `awaitingRelease`, `apart` and `released` describe exactly `entries`; `expiries` has at least one time per entry, none later
/// than due.
/// A store that is full of others' envelopes halves its shelf. Own envelopes are evicted only for own ones.
///
/// Source: PROTOCOL §5 flooding and store.
package struct EnvelopeStore: Sendable {
    let limits: StoreLimits
    let kinds: KindPolicy
    var entries: [UInt64: StoredEnvelope] = [:]
    private var order: [Slot] = []
    /// The position in the order of arrival of the next envelope.
    private(set) var nextSequence: UInt64 = 1
    /// The last envelopes that came, stored or not.
    var seen: SeenSet
    private var awaitingRelease: [[UInt8]: Set<UInt64>] = [:]
    /// The number of stored envelopes that prove each release hash.
    private var released: [[UInt8]: Int] = [:]
    var apart = ApartPieces()
    private(set) var arrivals = ArrivalTimes()
    private var expiries = PriorityQueue<Expiry>()
    /// The places of what is stored for others.
    package internal(set) var shelf = Shelf.everything
    /// A place that the shelf covers at every depth.
    var shelfPlace: UInt16 = 0
    /// The time since which the store has had much room at its depth.
    var roomySince: MeshInstant?
    /// The number of the envelopes of others, and the bytes for which they count.
    private(set) var foreign = (count: 0, charge: 0)
    /// The number of envelopes that a gateway fetched, and the bytes for which they count.
    private(set) var far = (count: 0, charge: 0)
    /// The charge of the chunks among it.
    private(set) var farChunkCharge = 0
    /// Units: bytes for which the own envelopes count.
    private(set) var ownCharge = 0
    /// The delivery proofs, and the own envelopes, in the order in which they leave.
    ///
    /// They may contain envelopes that were removed or have a longer life since; the caller must check.
    var releases = PriorityQueue<Candidate>()
    var own = PriorityQueue<Candidate>()
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
    /// For each sixteenth of all places the exclusive or of a mix of the ids of the envelopes that are offered.
    private var sums = SIMD16<UInt32>.zero
    /// The number of envelopes offered to neighbours: those with more than a minute of life left.
    package private(set) var offeredCount = 0

    /// An envelope, ordered by the time at which its state changes.
    private struct Expiry: Comparable, Sendable {
        let deadline: MeshInstant
        let shortID: UInt64

        static func < (left: Expiry, right: Expiry) -> Bool {
            (left.deadline, left.shortID) < (right.deadline, right.shortID)
        }
    }

    private struct Slot: Sendable {
        let sequence: UInt64
        let shortID: UInt64
    }

    /// Creates an empty store.
    package init(limits: StoreLimits, kinds: KindPolicy) {
        self.limits = limits
        self.kinds = kinds
        seen = SeenSet(limit: limits.seenCount)
    }

    // MARK: - Reading

    /// The number of stored envelopes.
    package var count: Int { entries.count }

    /// The store's state for neighbours.
    package var summary: StoreSummary { StoreSummary(shelf: shelf, sums: sums, count: offeredCount) }

    /// Returns the envelope with this short id.
    package subscript(shortID: UInt64) -> StoredEnvelope? { entries[shortID] }

    /// Returns whether the envelope is stored, or came a short time ago.
    package func knows(_ shortID: UInt64) -> Bool { entries[shortID] != nil || seen.contains(shortID) }

    /// Returns whether the envelope should be fetched: it is unknown, or the shelf covers it now and did not before.
    func wants(_ shortID: UInt64) -> Bool {
        guard knows(shortID) else { return true }
        return entries[shortID] == nil && seen.uncoveredPlace(of: shortID).map(shelf.covers) ?? false
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

    /// Returns the next short ids of a range to offer from a position on, and the position at which to continue.
    package func offers(
        in range: Shelf = .everything,
        from sequence: UInt64,
        limit: Int
    ) -> (shortIDs: [UInt64], next: UInt64) {
        var shortIDs: [UInt64] = []
        var index = firstIndex(from: sequence)
        while index < order.count, shortIDs.count < limit {
            if let entry = entry(of: order[index]), entry.isOffered, range.covers(entry.place) {
                shortIDs.append(entry.id.shortID)
            }
            index += 1
        }
        return (shortIDs, index < order.count ? order[index].sequence : nextSequence)
    }

    /// Returns everything that a log of the store must contain, in the order of arrival.
    func records(now: MeshInstant) -> [StoreRecord] {
        [.shelf(place: shelfPlace, depth: shelf.depth)] + order.compactMap { entry(of: $0)?.record(now: now) }
    }

    /// The time of the next change: an envelope stops being offered, or its life ends, or the shelf doubles.
    package var nextDeadline: MeshInstant {
        let roomy = roomySince?.advanced(by: Self.roomyTime) ?? .distantFuture
        return min(expiries.first?.deadline ?? .distantFuture, roomy)
    }

    // MARK: - Changing

    /// Stores an envelope; returns false if its kind is not stored, or if it is another node's and the shelf does not cover
    /// it, at least not after this one.
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
        isApart: Bool = false,
        now: MeshInstant
    ) -> Bool {
        let shortID = id.shortID
        precondition(entries[shortID] == nil, "already stored")
        guard let rule = kinds[envelope.kind], rule.storage != .nowhere else { return false }
        let place = Self.place(of: envelope, rule, id: id)
        seen.insert(shortID)
        let isCovered = origin == nil || shelf.covers(place)
        seen.note(uncoveredPlace: isCovered ? nil : place, of: shortID)
        guard isCovered else { return false }
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
            isOld: isOld,
            place: place,
            isApart: isApart
        )
        arrivals.note(nextSequence, now: now)
        nextSequence += 1
        entries[shortID] = entry
        order.append(Slot(sequence: entry.sequence, shortID: shortID))
        count(entry, times: 1)
        queue(entry)
        index(entry)
        review(shortID, now: now)
        makeRoom(now: now)
        makeRoomForApart()
        if isFull, origin != nil { evict(shortID) }
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
        count(entry, times: -1)
        entry.origin = nil
        entry.isOld = false
        entries[shortID] = entry
        count(entry, times: 1)
        queue(entry)
        noteRenewal(of: shortID, now: now)
    }

    /// Notes that an envelope came, and need not come again.
    mutating func see(_ shortID: UInt64) {
        seen.insert(shortID)
        seen.note(uncoveredPlace: nil, of: shortID)
    }

    /// Forgets that an envelope that is not stored came.
    mutating func forget(_ shortID: UInt64) {
        if entries[shortID] == nil { seen.remove(shortID) }
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
            remove(shortID)
            releasedCount += 1
        }
        noteRoom(now: now)
    }

    /// Removes envelopes without life, and forgets that they came.
    package mutating func expire(now: MeshInstant) {
        defer { makeRoomForApart() }
        while let first = expiries.first, first.deadline <= now {
            _ = expiries.removeFirst()
            guard entries[first.shortID] != nil else { continue }
            review(first.shortID, now: now)
            if entries[first.shortID] == nil { seen.remove(first.shortID) }
        }
        noteRoom(now: now)
    }

    /// Removes an envelope.
    mutating func remove(_ shortID: UInt64) {
        setOffered(shortID, false)
        guard let entry = entries.removeValue(forKey: shortID) else { return }
        count(entry, times: -1)
        unindex(entry)
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
        if entry.isApart, let tag = entry.tag { apart.add(entry.id.shortID, of: tag) }
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
        if entry.isApart, let tag = entry.tag { apart.remove(entry.id.shortID, of: tag) }
        for proofHash in entry.proofHashes {
            if entry.rule.deliveryProof == .given {
                released[proofHash] = released[proofHash].flatMap { $0 > 1 ? $0 - 1 : nil }
            } else {
                awaitingRelease[proofHash]?.remove(entry.id.shortID)
                if awaitingRelease[proofHash]?.isEmpty == true { awaitingRelease[proofHash] = nil }
            }
        }
    }

    private mutating func count(_ entry: StoredEnvelope, times: Int) {
        byteCount += times * entry.byteCount
        if entry.origin == nil {
            ownCharge += times * entry.charge
        } else {
            foreign.count += times
            foreign.charge += times * entry.charge
            if entry.isApart { apart.charge += times * entry.charge }
            guard entry.origin == Router.farNode else { return }
            far = (far.count + times, far.charge + times * entry.charge)
            if entry.rule.importance == .chunk { farChunkCharge += times * entry.charge }
        }
    }

    private mutating func queue(_ entry: StoredEnvelope) {
        if entry.rule.importance == .release { releases.insert(Candidate(entry)) }
        if entry.origin == nil { own.insert(Candidate(entry)) }
    }

    mutating func note(_ record: StoreRecord?) {
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
        guard entry.deadline > now else { return remove(shortID) }
        let lastOffer = entry.deadline.advanced(by: .zero - Self.leastOfferedLife)
        setOffered(shortID, lastOffer > now && !isHidden(entry))
        expiries.insert(.init(deadline: lastOffer > now ? lastOffer : entry.deadline, shortID: shortID))
    }

    mutating func setOffered(_ shortID: UInt64, _ isOffered: Bool) {
        guard let entry = entries[shortID], entry.isOffered != isOffered else { return }
        entries[shortID]?.isOffered = isOffered
        var mixer = SplitMix64(seed: shortID)
        sums[Int(entry.place >> 12)] ^= UInt32(truncatingIfNeeded: mixer.next())
        offeredCount += isOffered ? 1 : -1
    }

    /// Discards stale positions of removed envelopes, so that the lists stay in proportion to the stored envelopes.
    private mutating func compact() {
        if order.count > 2 * entries.count + Self.slack {
            order = order.filter { entry(of: $0) != nil }
        }
        if releases.count > 2 * entries.count + Self.slack {
            releases = PriorityQueue(entries.values.filter { $0.rule.importance == .release }.map(Candidate.init))
        }
        if own.count > 2 * entries.count + Self.slack {
            own = PriorityQueue(entries.values.filter { $0.origin == nil }.map(Candidate.init))
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
