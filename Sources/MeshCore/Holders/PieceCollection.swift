/// The pieces that this node lacks, of an object that it fetches or of those that it was asked to keep, and the nodes
/// that have them.
///
/// Invariant: a piece is asked of one source at a time. `windowCount` bounds what is asked of each.
struct PieceCollection: Sendable {
    private struct Source: Sendable {
        /// The label to which this node sends.
        let peer: PathLabel
        /// The link by which its offer came.
        let link: LinkID
        let tag: ObjectTag
        /// The pieces that it has and this node lacks, in its order.
        var ids: [UInt64]
        /// The number of times that it was asked for each.
        var attempts: [UInt64: Int] = [:]
        /// Whether a piece was given up, or found no room.
        var hasFailed = false
    }

    private struct Asked: Sendable {
        let source: PathLabel
        let due: MeshInstant
    }

    /// The pieces to ask of a source.
    struct Want: Sendable {
        let peer: PathLabel
        let ids: [UInt64]
    }

    /// The object that is fetched; nil if this node keeps what it is offered.
    let fetched: ObjectTag?
    private var sources: [Source] = []
    private var asked: [UInt64: Asked] = [:]
    /// The pieces that came.
    private var received: Set<UInt64> = []
    /// The time at which it ends without another piece.
    private(set) var end: MeshInstant

    init(of fetched: ObjectTag?, end: MeshInstant) {
        self.fetched = fetched
        self.end = end
    }

    /// Whether this node keeps the pieces for others.
    var keeps: Bool { fetched == nil }

    /// Whether it fetches, has had a source and has nothing left to ask for.
    ///
    /// A node that keeps pieces may be offered more.
    var isDone: Bool { !keeps && !sources.isEmpty && sources.allSatisfy(\.ids.isEmpty) }

    /// The time at which something is asked for again, or it ends.
    var nextDeadline: MeshInstant { asked.values.map(\.due).reduce(end, min) }

    /// Returns whether a piece of this object has been asked for under this id, however long ago.
    func expects(_ id: UInt64, of tag: ObjectTag) -> Bool {
        sources.contains { $0.tag == tag && $0.attempts[id] != nil && $0.ids.contains(id) }
    }

    /// Returns whether this label is that of a source.
    func has(_ peer: PathLabel) -> Bool { sources.contains { $0.peer == peer } }

    /// Adds a source of pieces that this node lacks; returns false if there is no room for it.
    mutating func add(
        _ ids: [UInt64],
        of tag: ObjectTag,
        at peer: PathLabel,
        over link: LinkID,
        _ configuration: HolderConfiguration
    ) -> Bool {
        sources.removeAll { $0.ids.isEmpty }
        let ids = ids.filter { !received.contains($0) }
        let perLink = keeps ? configuration.sourceCount : configuration.sourcesPerLink
        guard fetched == nil || fetched == tag, !has(peer), sources.count < configuration.sourceCount,
            sources.count(where: { $0.link == link }) < perLink, !ids.isEmpty
        else { return false }
        sources.append(Source(peer: peer, link: link, tag: tag, ids: ids))
        return true
    }

    /// Notes that a piece is here; returns the sources that have no more.
    mutating func take(_ id: UInt64, end: MeshInstant) -> [PathLabel] {
        self.end = end
        asked[id] = nil
        if !keeps { received.insert(id) }
        var finished: [PathLabel] = []
        for index in sources.indices where sources[index].ids.contains(id) {
            sources[index].ids.removeAll { $0 == id }
            if sources[index].ids.isEmpty { finished.append(sources[index].peer) }
        }
        return finished
    }

    /// Notes that there is no room for a piece of an object.
    mutating func refuse(_ tag: ObjectTag) {
        for index in sources.indices where sources[index].tag == tag { sources[index].hasFailed = true }
    }

    /// Returns whether all pieces that a source offered are here.
    func isWhole(from peer: PathLabel) -> Bool {
        sources.contains { $0.peer == peer && $0.ids.isEmpty && !$0.hasFailed }
    }

    /// Notes that a source cannot be reached any more.
    mutating func lose(_ peer: PathLabel) {
        sources.removeAll { $0.peer == peer }
        asked = asked.filter { $0.value.source != peer }
    }

    /// Returns what is asked of each source now.
    mutating func wants(_ configuration: HolderConfiguration, now: MeshInstant) -> [Want] {
        forgetOverdue(configuration, now: now)
        return sources.indices.compactMap { index in
            let peer = sources[index].peer
            let room = configuration.windowCount - asked.values.count { $0.source == peer }
            let ids = sources[index].ids.filter { asked[$0] == nil }.prefix(max(0, room))
            guard !ids.isEmpty else { return nil }
            for id in ids {
                asked[id] = Asked(source: peer, due: now.advanced(by: configuration.pieceLatency))
                sources[index].attempts[id, default: 0] += 1
            }
            return Want(peer: peer, ids: Array(ids))
        }
    }

    /// Lets other sources have the pieces that did not come, and gives up those that were asked for too often.
    private mutating func forgetOverdue(_ configuration: HolderConfiguration, now: MeshInstant) {
        let overdue = asked.filter { $0.value.due <= now }.sorted { $0.key < $1.key }
        for (id, one) in overdue {
            asked[id] = nil
            guard let index = sources.firstIndex(where: { $0.peer == one.source }) else { continue }
            sources[index].ids.removeAll { $0 == id }
            if sources[index].attempts[id, default: 0] < configuration.attemptCount {
                sources[index].ids.append(id)
            } else {
                sources[index].hasFailed = true
            }
        }
    }
}
