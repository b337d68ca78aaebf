import Bytes

/// The pushes on the segments of a node: which of them are crowded, what was heard there, and what is to be sent.
///
/// A segment is an interface of one address family. An author pushes at once. A node that got a post by a link pushes it
/// after a random time, unless it hears it first. Each push is sent again once. A node adds pushes only while few are
/// sent and heard, and hears many more. It pushes only where multicasts arrive: in a crowd beacons come all the time.
/// Invariants: `waiting` is sorted by time; `order` has each key of `known`. Source: PROTOCOL §5 pushes.
package struct PushSchedule: Sendable {
    /// A post on a segment.
    private struct Key: Hashable, Sendable {
        let shortID: UInt64
        let segment: InterfaceID
    }

    /// A push whose time comes.
    struct Push: Sendable {
        let shortID: UInt64
        let message: [UInt8]
        let segment: InterfaceID
        let due: MeshInstant
        /// Whether it is dropped once it was heard.
        let isRelayed: Bool
    }

    private struct Segment: Sendable {
        var isCrowded = false
        /// The time at which a multicast of another node last came.
        var heardAt: MeshInstant?
        /// The rate of what is sent and heard while the node adds to it.
        var adding: PushRate
        /// The rate of what is read.
        var hearing: PushRate
    }

    private let configuration: RouterConfiguration
    private var segments: [InterfaceID: Segment] = [:]
    private var waiting: [Push] = []
    /// The posts that were heard or pushed on a segment; true for those that were heard.
    private var known: [Key: Bool] = [:]
    private var order = Fifo<Key>()

    init(configuration: RouterConfiguration) { self.configuration = configuration }

    /// The time of the next push.
    var nextDeadline: MeshInstant { waiting.first?.due ?? .distantFuture }

    /// The segments of the node, in order.
    var numbers: [InterfaceID] { segments.keys.sorted() }

    /// Sets the segments of the node, and whether each is crowded; the rates of those that stay go on.
    package mutating func setSegments(_ present: [InterfaceID: Bool]) {
        for segment in segments.keys where present[segment] == nil { forget(segment) }
        for (segment, isCrowded) in present {
            let new = Segment(
                adding: PushRate(configuration.multicastCount, byteCount: configuration.multicastByteCount),
                hearing: PushRate(configuration.heardCount, byteCount: configuration.heardByteCount)
            )
            segments[segment, default: new].isCrowded = isCrowded
        }
    }

    private mutating func forget(_ segment: InterfaceID) {
        segments[segment] = nil
        waiting.removeAll { $0.segment == segment }
        known = known.filter { $0.key.segment != segment }
    }

    /// Notes that a multicast of another node came on a segment.
    mutating func noteMulticast(on segment: InterfaceID, now: MeshInstant) { segments[segment]?.heardAt = now }

    /// Returns whether all nodes of a segment have a post from a push, or are to get it so.
    func covers(_ shortID: UInt64, on segment: InterfaceID) -> Bool {
        known[Key(shortID: shortID, segment: segment)] != nil
    }

    /// Returns whether a post is still to be pushed on a crowded segment, if there is one.
    func lacks(_ shortID: UInt64) -> Bool {
        segments.contains { $0.value.isCrowded && !covers(shortID, on: $0.key) }
    }

    /// Forgets who has a post, which its author sends again.
    mutating func forget(_ shortID: UInt64) {
        for segment in segments.keys { known[Key(shortID: shortID, segment: segment)] = nil }
    }

    /// Plans the pushes of a post on a segment; returns false if it has to go by links.
    ///
    /// - Parameter delay: The time until the first; nil for an own post, which goes whoever else pushes it.
    mutating func plan(
        _ shortID: UInt64,
        _ message: [UInt8],
        on segment: InterfaceID,
        after delay: Duration?,
        now: MeshInstant
    ) -> Bool {
        let byteCount = PushDatagram.headerByteCount + message.count
        guard let state = segments[segment], state.isCrowded, byteCount <= PushDatagram.maximumByteCount,
            let heardAt = state.heardAt, heardAt.advanced(by: configuration.multicastSilence) > now,
            waiting.count + configuration.multicastRepeats <= configuration.multicastQueueLimit,
            state.adding.isHalfFull(now: now)
        else { return false }
        for _ in 0..<configuration.multicastRepeats { segments[segment]?.adding.spend(byteCount: byteCount, now: now) }
        note(Key(shortID: shortID, segment: segment), isHeard: false)
        for number in 0..<configuration.multicastRepeats {
            let due = now.advanced(by: (delay ?? .zero) + configuration.multicastInterval * number)
            let push = Push(shortID: shortID, message: message, segment: segment, due: due, isRelayed: delay != nil)
            waiting.insert(push, at: waiting.firstIndex { $0.due > due } ?? waiting.endIndex)
        }
        return true
    }

    /// Takes the pushes whose time has come.
    mutating func takeDue(now: MeshInstant) -> [Push] {
        let due = waiting.prefix { $0.due <= now }
        defer { waiting.removeFirst(due.count) }
        return due.filter { !$0.isRelayed || known[Key(shortID: $0.shortID, segment: $0.segment)] != true }
    }

    // MARK: - Hearing

    /// Counts a push that was heard on a segment; returns false if it is one too many.
    mutating func hear(byteCount: Int, on segment: InterfaceID, now: MeshInstant) -> Bool {
        segments[segment]?.adding.spend(byteCount: byteCount, now: now)
        guard segments[segment]?.hearing.take(byteCount: byteCount, now: now) == true else { return false }
        noteMulticast(on: segment, now: now)
        return true
    }

    /// Notes that a post was heard on a segment.
    mutating func noteHeard(_ shortID: UInt64, on segment: InterfaceID) {
        note(Key(shortID: shortID, segment: segment), isHeard: true)
    }

    /// Notes that a neighbour on a segment had a post long before this node; on a crowded one everybody has it then.
    mutating func noteLate(_ shortID: UInt64, on segment: InterfaceID?) {
        if let segment, segments[segment]?.isCrowded == true { noteHeard(shortID, on: segment) }
    }

    private mutating func note(_ key: Key, isHeard: Bool) {
        if let before = known[key] {
            known[key] = before || isHeard
            return
        }
        known[key] = isHeard
        order.append(key)
        guard order.count > configuration.multicastMemory, let oldest = order.first else { return }
        order.removeFirst()
        known[oldest] = nil
    }
}

/// A rate of pushes on one segment, by their number and their size.
private struct PushRate: Sendable {
    private var datagrams: TokenBucket
    private var bytes: TokenBucket

    /// Creates a rate of so many datagrams and bytes in a second, and as many at once.
    init(_ count: Int, byteCount: Int) {
        datagrams = TokenBucket(rate: count, burst: count)
        bytes = TokenBucket(rate: byteCount, burst: byteCount)
    }

    /// Returns whether half of a second's pushes are left.
    func isHalfFull(now: MeshInstant) -> Bool {
        datagrams.nextTokens(datagrams.burst / 2) <= now && bytes.nextTokens(bytes.burst / 2) <= now
    }

    /// Takes the tokens of a push; returns false if too few are left.
    mutating func take(byteCount: Int, now: MeshInstant) -> Bool {
        datagrams.take(now: now) && bytes.take(byteCount, now: now)
    }

    /// Takes the tokens of a push, or those that are left.
    mutating func spend(byteCount: Int, now: MeshInstant) {
        datagrams.spend(now: now)
        datagrams.limitDebt(to: 0, now: now)
        bytes.spend(byteCount, now: now)
        bytes.limitDebt(to: 0, now: now)
    }
}
