import Bytes

extension EnvelopeStore {
    /// Returns the first 16 bits of the envelope's id, or of its body where that keeps pieces of one object together.
    static func place(of envelope: Envelope, _ rule: KindRule, id: EnvelopeID) -> UInt16 {
        guard rule.isPlacedByBody, envelope.body.count >= 2 else { return UInt16(truncatingIfNeeded: id.shortID >> 48) }
        return UInt16(envelope.body[0]) << 8 | UInt16(envelope.body[1])
    }

    /// Whether the envelopes of others exceed a limit.
    var isFull: Bool {
        foreign.charge > limits.byteCount || foreign.count > limits.envelopeCount
    }

    /// Whether the envelopes of others would fit a store of three eighths of the size.
    private var isRoomy: Bool {
        foreign.charge * 8 <= limits.byteCount * 3 && foreign.count * 8 <= limits.envelopeCount * 3
    }

    /// Removes envelopes until the store is within its limits again.
    ///
    /// A store that is full of others' envelopes halves its shelf: it gives up half of the places, whoever brought what
    /// is there. Delivery proofs beyond their limit, and own envelopes beyond theirs, go by the end of their life.
    mutating func makeRoom(now: MeshInstant) {
        while releaseCount > limits.releaseCount, let victim = firstToGo(in: \.releases) { evict(victim) }
        while ownCharge > limits.byteCount || entries.count - foreign.count > limits.envelopeCount,
            let victim = firstToGo(in: \.own)
        {
            evict(victim)
        }
        while isFull, shelf.depth < Shelf.maximumDepth {
            setDepth(shelf.depth + 1)
            for (shortID, entry) in entries where entry.origin != nil && !shelf.covers(entry.place) {
                evict(shortID)
                seen.note(uncoveredPlace: entry.place, of: shortID)
            }
        }
        noteRoom(now: now)
    }

    /// Removes an envelope to make room.
    mutating func evict(_ shortID: UInt64) {
        remove(shortID)
        evictedCount += 1
    }

    /// Returns the first envelope of a queue that is still stored with the life by which it was queued.
    private mutating func firstToGo(in queue: WritableKeyPath<EnvelopeStore, PriorityQueue<Candidate>>) -> UInt64? {
        while let candidate = self[keyPath: queue].removeFirst() {
            guard let entry = entries[candidate.shortID] else { continue }
            let current = Candidate(entry)
            if current == candidate { return candidate.shortID }
            if queue == \.releases || entry.origin == nil { self[keyPath: queue].insert(current) }
        }
        return nil
    }

    /// Records whether the store has had much room for long, and doubles its shelf if so.
    mutating func noteRoom(now: MeshInstant) {
        guard shelf.depth > 0, isRoomy else {
            roomySince = nil
            return
        }
        guard let since = roomySince else {
            roomySince = now
            return
        }
        guard now >= since.advanced(by: Self.roomyTime) else { return }
        setDepth(shelf.depth - 1)
        roomySince = shelf.depth > 0 ? now : nil
    }

    private mutating func setDepth(_ depth: UInt8) {
        shelf = Shelf(of: shelfPlace, depth: depth)
        note(.shelf(place: shelfPlace, depth: depth))
    }

    /// Takes over the shelf of a log, or a new one.
    mutating func setShelf(place: UInt16, depth: UInt8) {
        shelfPlace = place
        shelf = Shelf(of: place, depth: depth)
    }

    /// The time for which a store must have had much room before it doubles its shelf.
    static let roomyTime: Duration = .seconds(600)
    /// The least size that an envelope counts for.
    ///
    /// Units: bytes.
    static let leastCharge = 512

    /// An envelope in the order in which envelopes leave.
    struct Candidate: Comparable, Sendable {
        let rank: Int
        let deadline: MeshInstant
        let shortID: UInt64

        init(_ entry: StoredEnvelope) {
            rank = StoreClass.ownOrder.firstIndex(of: entry.rule.importance) ?? 0
            deadline = entry.deadline
            shortID = entry.id.shortID
        }

        static func < (left: Candidate, right: Candidate) -> Bool {
            (left.rank, left.deadline, left.shortID) < (right.rank, right.deadline, right.shortID)
        }
    }
}
