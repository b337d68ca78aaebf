package import ChatCrypto
package import MeshCore

/// How a newcomer gets what was said in one group before it came: whom it asks, what for, and how much it takes.
///
/// A pure value. Members are asked in the order in which they came, since who came first has opened most. One that is
/// silent is passed over for a while and asked again later; one that has given all ends the pull, unless somebody who
/// came before it has not. Each is asked on from where it was, over any restart of either side. One that goes back on
/// itself is asked no more. Source: PROTOCOL §16.6.
package struct HistoryPull: Hashable, Sendable {
    /// How far one member has answered.
    package struct Asked: Hashable, Sendable {
        package var cursor = HistoryCursor.newest
        /// Whether it has given all it has.
        package var hasEnded = false
        /// Whether it does not keep to the rules.
        package var isBarred = false
    }

    /// The epoch in which this node came.
    package let entrance: UInt32
    /// Units: milliseconds since 1970 when it came.
    package let since: UInt64
    /// The place above all messages from before.
    package let ceiling: UInt64
    /// The place of the next message; they go down.
    package var nextPlace: UInt64
    package var asked: [PeerID: Asked] = [:]
    /// Who is asked now.
    package var voucher: PeerID?
    package var pageCount = 0
    package var byteCount = 0
    /// Messages that were new here.
    package var messageCount = 0
    /// Whether nothing more is asked for.
    package var isOver = false
    /// The request that is in the outbox.
    var request: MessageID?
    /// When somebody is asked next.
    package private(set) var askAt = MeshInstant.distantFuture
    private var pause = NewcomerLimits.firstPause
    /// Requests to the present one that nothing came of.
    private var silence = 0

    /// Begins.
    package init(entrance: UInt32, since: UInt64, above highest: UInt64) {
        self.entrance = entrance
        self.since = since
        let (ceiling, overflow) = highest.addingReportingOverflow(NewcomerLimits.placeCount)
        self.ceiling = overflow ? highest : ceiling
        nextPlace = overflow ? 0 : ceiling
    }

    init(entrance: UInt32, since: UInt64, ceiling: UInt64, nextPlace: UInt64) {
        self.entrance = entrance
        self.since = since
        self.ceiling = ceiling
        self.nextPlace = nextPlace
    }

    /// Plans the next request, after joining and after a start.
    package mutating func schedule(at instant: MeshInstant) {
        askAt = isOver ? .distantFuture : instant
    }

    /// Whom to ask, and for what; nil if nothing is left to ask.
    ///
    /// - Parameters:
    ///   - members: Everybody else who is in, those who came first in front.
    ///   - time: Now.
    package mutating func next(among members: [PeerID], at time: ChatTime) -> (PeerID, HistoryCursor)? {
        let candidates = candidates(among: members)
        let isLate = time.wall >= since && time.wall - since >= NewcomerLimits.age
        guard !isOver, !isLate, let first = candidates.first else {
            isOver = true
            askAt = .distantFuture
            return nil
        }
        let known = voucher.flatMap { candidates.firstIndex(of: $0) }
        if known == nil || silence >= NewcomerLimits.silenceCount {
            voucher = known.map { candidates[($0 + 1) % candidates.count] } ?? first
            silence = 0
        }
        guard let voucher else { return nil }
        silence += 1
        askAt = time.monotonic.advanced(by: pause)
        pause = min(pause * 2, NewcomerLimits.longestPause)
        let cursor = asked[voucher]?.cursor ?? .newest
        asked[voucher, default: Asked()].cursor = cursor
        return (voucher, cursor)
    }

    /// Those who may have more than what was given.
    private func candidates(among members: [PeerID]) -> [PeerID] {
        members.prefix { asked[$0]?.hasEnded != true }.filter { asked[$0]?.isBarred != true }
    }

    /// Whether what a page brings is to be looked at: who was asked sent it, and it is not too much.
    package mutating func take(_ page: HistoryPage, byteCount: Int, from member: PeerID, at now: MeshInstant) -> Bool {
        guard let entry = asked[member], !entry.isBarred else { return false }
        guard pageCount < NewcomerLimits.pageCount, self.byteCount + byteCount <= NewcomerLimits.pullByteCount else {
            isOver = true
            askAt = .distantFuture
            return false
        }
        pageCount += 1
        self.byteCount += byteCount
        // Else it came late, or a second time.
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
        guard member == voucher else { return true }
        silence = 0
        pause = NewcomerLimits.firstPause
        schedule(at: now)
        return true
    }

    /// Asks a member no more.
    package mutating func bar(_ member: PeerID, at now: MeshInstant) {
        asked[member]?.isBarred = true
        if member == voucher { schedule(at: now) }
    }

    /// Forgets who is out.
    package mutating func forget(_ member: PeerID, at now: MeshInstant) {
        guard asked.removeValue(forKey: member) != nil, member == voucher else { return }
        voucher = nil
        schedule(at: now)
    }

    /// The place for another message; nil if there is none left below.
    package mutating func takePlace() -> UInt64? {
        guard nextPlace > 1, ceiling - nextPlace < NewcomerLimits.placeCount - 1 else { return nil }
        defer { nextPlace -= 1 }
        return nextPlace
    }
}
