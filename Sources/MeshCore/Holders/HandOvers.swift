/// The objects of which this node has pieces that some nodes of a crowd should keep.
///
/// Each goes through the same states: it gathers pieces, a search is under way or the nodes of the last one are at hand,
/// it is offered, and then enough nodes have confirmed it or all begins again. One search is under way at a time, since
/// the nodes that answer it get the next objects too.
struct HandOvers: Sendable {
    /// The state of an object.
    private enum State: Sendable {
        /// It waits for its time.
        case waiting
        /// Nodes that will keep it are sought.
        case searching
        /// It was offered to some.
        case offered
    }

    private struct HandOver: Sendable {
        /// Whether it is this node's own.
        var isOwn: Bool
        var due: MeshInstant
        var state = State.waiting
        /// The depth of the next search; nil for that of the crowd.
        var depth: UInt8?
        /// The number of times that it was handed over in vain.
        var repeats = 0
        /// Whether pieces came since it was last offered.
        var hasNewPieces = false
    }

    /// The next thing to do for an object.
    enum Step: Sendable {
        /// Offer it to the nodes at hand, or else seek others at this depth.
        case offer(ObjectTag, depth: UInt8, seeksAnew: Bool)
        /// Count the nodes that have confirmed it.
        case count(ObjectTag)
    }

    private let configuration: HolderConfiguration
    private var objects: [ObjectTag: HandOver] = [:]

    init(configuration: HolderConfiguration) { self.configuration = configuration }

    /// The time of the next step.
    var nextDeadline: MeshInstant { objects.values.map(\.due).min() ?? .distantFuture }

    /// Notes a piece, and waits a moment for more.
    ///
    /// Own objects do not make room for those of others.
    mutating func add(_ tag: ObjectTag, isOwn: Bool, now: MeshInstant) {
        if objects[tag] != nil {
            objects[tag]?.hasNewPieces = true
            if isOwn { objects[tag]?.isOwn = true }
            if objects[tag]?.state == .offered { postpone(tag, by: configuration.gatherDelay, now: now) }
            return
        }
        guard objects.values.count(where: { $0.isOwn == isOwn }) < configuration.objectLimit else { return }
        objects[tag] = HandOver(isOwn: isOwn, due: now.advanced(by: configuration.gatherDelay))
    }

    /// Returns what is due.
    mutating func takeDue(depth: UInt8, now: MeshInstant) -> [Step] {
        let due = objects.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        return due.map { tag, one in
            guard one.state == .waiting else { return .count(tag) }
            return .offer(tag, depth: one.depth ?? depth, seeksAnew: one.repeats > 0 || one.depth != nil)
        }
    }

    /// Whether a search is under way.
    var isSearching: Bool { objects.values.contains { $0.state == .searching } }

    /// Whether as many objects are offered as a keeper takes at a time.
    var isFull: Bool { objects.values.count { $0.state == .offered } >= configuration.sourceCount }

    /// Notes that a search for an object is under way.
    mutating func noteSearch(for tag: ObjectTag) {
        objects[tag]?.state = .searching
        objects[tag]?.due = .distantFuture
    }

    /// Lets an object wait for a time.
    mutating func postpone(_ tag: ObjectTag, by time: Duration, now: MeshInstant) {
        objects[tag]?.state = .waiting
        objects[tag]?.due = now.advanced(by: time)
    }

    /// Notes that an object was offered to this number of nodes after a search at this depth.
    mutating func noteOffer(of tag: ObjectTag, count: Int, searched: UInt8, crowd: UInt8, now: MeshInstant) {
        objects[tag]?.hasNewPieces = false
        guard count < configuration.leastHolderCount else {
            objects[tag]?.state = .offered
            objects[tag]?.due = now.advanced(by: configuration.keepPatience)
            return
        }
        if Int(searched) > max(0, Int(crowd) - configuration.depthSlack) {
            objects[tag]?.depth = searched - 1
            postpone(tag, by: .zero, now: now)
        } else {
            handOverAgain(tag, now: now)
        }
    }

    /// Notes how many nodes have confirmed an object, which ends with enough of them.
    mutating func noteKept(_ tag: ObjectTag, count: Int) {
        guard let one = objects[tag], one.state == .offered, !one.hasNewPieces, count >= configuration.leastHolderCount
        else { return }
        objects[tag] = nil
    }

    /// Ends the time in which nodes confirm an object, which begins again if there were too few.
    mutating func end(_ tag: ObjectTag, count: Int, now: MeshInstant) {
        noteKept(tag, count: count)
        if objects[tag]?.hasNewPieces == true {
            postpone(tag, by: .zero, now: now)
        } else {
            handOverAgain(tag, now: now)
        }
    }

    /// Forgets an object of which no piece is left.
    mutating func forget(_ tag: ObjectTag) { objects[tag] = nil }

    private mutating func handOverAgain(_ tag: ObjectTag, now: MeshInstant) {
        guard let one = objects[tag] else { return }
        objects[tag]?.depth = nil
        objects[tag]?.repeats += 1
        let exponent = min(one.repeats, Self.largestRepeatExponent)
        postpone(tag, by: configuration.repeatDelay * (1 << exponent), now: now)
    }

    /// The number of doublings of the pause between vain attempts.
    private static let largestRepeatExponent = 6
}
