package import ChatCrypto
package import MeshCore

/// A new member's requests for the earlier messages of one group: the members to ask, their cursors, and limits.
///
/// A pure value. Members are asked in the order in which they joined, since the first has opened most messages. A
/// silent member is skipped for a while and asked again later. A member that has given all its messages ends the
/// requests, unless a member who joined before it has not. Each continues from its last cursor, after any restart of
/// either side. A member whose cursors do not go down is not asked again. Source: PROTOCOL §16.6.
package struct HistoryPull: Hashable, Sendable {
    /// The state of one member's answers.
    package struct Asked: Hashable, Sendable {
        package var cursor = HistoryCursor.newest
        /// Whether the member has given all it has.
        package var hasEnded = false
        /// Whether the member violates the rules.
        package var isBarred = false
    }

    /// The join epoch of this node.
    package let joinEpoch: UInt32
    /// The time at which this node joined.
    ///
    /// Units: milliseconds since 1970.
    package let since: UInt64
    /// The position above all earlier messages.
    package let ceiling: UInt64
    /// The position of the next message; these positions go down.
    package var nextPlace: UInt64
    package var asked: [PeerID: Asked] = [:]
    /// The member that is asked at present.
    package var attester: PeerID?
    package var pageCount = 0
    package var byteCount = 0
    /// The number of messages that were not in the history yet.
    package var messageCount = 0
    /// Whether nothing more is requested.
    package var isOver = false
    /// The request that is in the outbox.
    var request: MessageID?
    /// The time of the next request.
    package private(set) var askAt = MeshInstant.distantFuture
    private var pause = EarlierMessageLimits.firstPause
    /// The number of requests to the present member without an answer.
    private var silence = 0

    /// Makes requests whose messages get positions above the highest one that is taken.
    package init(joinEpoch: UInt32, since: UInt64, above highest: UInt64) {
        self.joinEpoch = joinEpoch
        self.since = since
        let (ceiling, overflow) = highest.addingReportingOverflow(EarlierMessageLimits.placeCount)
        self.ceiling = overflow ? highest : ceiling
        nextPlace = overflow ? 0 : ceiling
    }

    init(joinEpoch: UInt32, since: UInt64, ceiling: UInt64, nextPlace: UInt64) {
        self.joinEpoch = joinEpoch
        self.since = since
        self.ceiling = ceiling
        self.nextPlace = nextPlace
    }

    /// Schedules the next request, after joining and after a start.
    package mutating func schedule(at instant: MeshInstant) {
        askAt = isOver ? .distantFuture : instant
    }

    /// Chooses the member to ask, and the cursor; nil if nothing is left to ask.
    ///
    /// - Parameters:
    ///   - members: All other members, in the order in which they joined.
    ///   - time: The present moment.
    package mutating func next(among members: [PeerID], at time: ChatTime) -> (PeerID, HistoryCursor)? {
        let candidates = candidates(among: members)
        let isLate = time.wall >= since && time.wall - since >= EarlierMessageLimits.age
        guard !isOver, !isLate, let first = candidates.first else {
            isOver = true
            askAt = .distantFuture
            return nil
        }
        let known = attester.flatMap { candidates.firstIndex(of: $0) }
        if known == nil || silence >= EarlierMessageLimits.silenceCount {
            attester = known.map { candidates[($0 + 1) % candidates.count] } ?? first
            silence = 0
        }
        guard let attester else { return nil }
        silence += 1
        askAt = time.monotonic.advanced(by: pause)
        pause = min(pause * 2, EarlierMessageLimits.longestPause)
        let cursor = asked[attester]?.cursor ?? .newest
        asked[attester, default: Asked()].cursor = cursor
        return (attester, cursor)
    }

    /// Returns the members that may have more messages.
    private func candidates(among members: [PeerID]) -> [PeerID] {
        members.prefix { asked[$0]?.hasEnded != true }.filter { asked[$0]?.isBarred != true }
    }

    /// Counts a page; false if its records have to be ignored: its sender was not asked, or it exceeds a limit.
    package mutating func take(_ page: HistoryPage, byteCount: Int, from member: PeerID, at now: MeshInstant) -> Bool {
        guard let entry = asked[member], !entry.isBarred else { return false }
        guard pageCount < EarlierMessageLimits.pageCount,
            self.byteCount + byteCount <= EarlierMessageLimits.pullByteCount
        else {
            isOver = true
            askAt = .distantFuture
            return false
        }
        pageCount += 1
        self.byteCount += byteCount
        // Any other page arrived late, or a second time.
        guard page.from == entry.cursor, !entry.hasEnded else { return true }
        if let next = page.next {
            guard next.isBeyond(entry.cursor) else {
                bar(member, at: now)
                return false
            }
            asked[member]?.cursor = next
        } else {
            asked[member]?.hasEnded = true
        }
        guard member == attester else { return true }
        silence = 0
        pause = EarlierMessageLimits.firstPause
        schedule(at: now)
        return true
    }

    /// Stops asking a member.
    package mutating func bar(_ member: PeerID, at now: MeshInstant) {
        asked[member]?.isBarred = true
        if member == attester { schedule(at: now) }
    }

    /// Forgets a member who is out of the group.
    package mutating func forget(_ member: PeerID, at now: MeshInstant) {
        guard asked.removeValue(forKey: member) != nil, member == attester else { return }
        attester = nil
        schedule(at: now)
    }

    /// Takes the position of another message; nil if there is none left below.
    package mutating func takePlace() -> UInt64? {
        guard nextPlace > 1, ceiling - nextPlace < EarlierMessageLimits.placeCount - 1 else { return nil }
        defer { nextPlace -= 1 }
        return nextPlace
    }
}
