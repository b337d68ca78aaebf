/// This node's own envelopes and their reported progress.
///
/// A full table discards the oldest envelope, whose progress is then no longer reported.
struct SubmissionTable: Sendable {
    struct Submission: Sendable {
        let id: EnvelopeID
        var isTransmitted = false
        var isCarried = false
    }

    private let limit: Int
    private var entries: [UInt64: Submission] = [:]
    private var order = Fifo<UInt64>()
    private var carriedCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    /// The short ids of the envelopes that no other node is known to hold, oldest first.
    var uncarried: [UInt64] {
        carriedCount == entries.count ? [] : order.elements.filter { entries[$0]?.isCarried == false }
    }

    func contains(_ shortID: UInt64) -> Bool { entries[shortID] != nil }

    /// Begins to report the progress of an envelope, or begins again; returns the short id of the envelope that is
    /// discarded for it, if any.
    mutating func insert(_ id: EnvelopeID) -> UInt64? {
        if let before = entries.updateValue(Submission(id: id), forKey: id.shortID) {
            carriedCount -= before.isCarried ? 1 : 0
        } else {
            order.append(id.shortID)
        }
        guard order.count > limit, let forgotten = order.first else { return nil }
        order.removeFirst()
        if entries.removeValue(forKey: forgotten)?.isCarried == true { carriedCount -= 1 }
        return forgotten
    }

    /// Records that the envelope left; returns its id the first time.
    mutating func transmit(_ shortID: UInt64) -> EnvelopeID? {
        guard let entry = entries[shortID], !entry.isTransmitted else { return nil }
        entries[shortID]?.isTransmitted = true
        return entry.id
    }

    /// Records that a neighbour holds the envelope; returns its id the first time.
    mutating func carry(_ shortID: UInt64) -> EnvelopeID? {
        guard let entry = entries[shortID], !entry.isCarried else { return nil }
        entries[shortID]?.isCarried = true
        carriedCount += 1
        return entry.id
    }
}
