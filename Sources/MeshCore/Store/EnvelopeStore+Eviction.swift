import Bytes

extension EnvelopeStore {
    /// Evicts envelopes until the store is within its limits again.
    mutating func evict(now: MeshInstant) {
        while chunkByteCount > limits.chunkByteCount, let victim = victim(among: [.chunk]) {
            evict(victim, now: now)
        }
        while releaseCount > limits.releaseCount, let victim = victim(among: [.release]) {
            evict(victim, now: now)
        }
        while byteCount > limits.byteCount || entries.count > limits.envelopeCount,
            let victim = victim(among: StoreClass.allCases)
        {
            evict(victim, now: now)
        }
    }

    private mutating func evict(_ shortID: UInt64, now: MeshInstant) {
        remove(shortID, now: now)
        evictedCount += 1
    }

    mutating func addToShare(_ entry: StoredEnvelope) {
        let storeClass = entry.rule.importance
        var share = shares[entry.origin] ?? StoreShare()
        shares[entry.origin] = nil
        share[storeClass].count += 1
        share[storeClass].byteCount += entry.byteCount
        if share[storeClass].queue.count > 2 * share[storeClass].count + Self.slack {
            let members = entries.values.filter {
                $0.origin == entry.origin && $0.rule.importance == storeClass
            }
            share[storeClass].queue = PriorityQueue(members.map(Self.candidate))
        } else {
            share[storeClass].queue.insert(Self.candidate(entry))
        }
        shares[entry.origin] = share
    }

    mutating func removeFromShare(_ entry: StoredEnvelope) {
        let storeClass = entry.rule.importance
        shares[entry.origin]?[storeClass].count -= 1
        shares[entry.origin]?[storeClass].byteCount -= entry.byteCount
        if shares[entry.origin]?.isEmpty == true {
            shares[entry.origin] = nil
        }
    }

    private static func candidate(_ entry: StoredEnvelope) -> StoreShare.Candidate {
        .init(deadline: entry.deadline, shortID: entry.id.shortID)
    }

    private var chunkByteCount: Int {
        shares.values.reduce(0) { $0 + $1[.chunk].byteCount }
    }

    /// Returns the envelope that must go first: from the neighbour with most bytes in these classes, or an own one if
    /// there are no others.
    private mutating func victim(among classes: [StoreClass]) -> UInt64? {
        let loads = shares.map { (origin: $0.key, byteCount: $0.value.byteCount(in: classes)) }
            .filter { $0.byteCount > 0 }
        let foreign = loads.compactMap { load in load.origin.map { (node: $0, byteCount: load.byteCount) } }
        let heaviest = foreign.max { ($0.byteCount, $1.node) < ($1.byteCount, $0.node) }
        let origin = heaviest?.node
        guard origin != nil || loads.contains(where: { $0.origin == nil }) else { return nil }
        let order = origin == nil ? StoreClass.ownOrder.filter(classes.contains) : classes
        for storeClass in order {
            if let victim = takeFirst(of: origin, in: storeClass) { return victim }
        }
        return nil
    }

    private mutating func takeFirst(of origin: NodeID?, in storeClass: StoreClass) -> UInt64? {
        while let candidate = shares[origin]?[storeClass].queue.removeFirst() {
            guard let entry = entries[candidate.shortID], entry.origin == origin,
                entry.rule.importance == storeClass
            else { continue }
            if entry.deadline == candidate.deadline { return candidate.shortID }
            shares[origin]?[storeClass].queue.insert(Self.candidate(entry))
        }
        return nil
    }
}
