import Bytes

/// The envelopes that neighbours have named and that have not arrived: one table for all links.
///
/// A neighbour names an envelope by announcing or by offering it, and is asked for it accordingly. One holder is asked
/// at a time. An id that waits for a holder with enough to do lies in that holder's queue, which is served when
/// something that it was asked for settles. So each id costs a few operations, however full the table is.
///
/// Invariants: `shares` has for each link the number of entries with it as a holder, and the ids that it was asked for;
/// every entry with a time in `due` has an element in `turns` with that time. Holders on ended links may stay in entries.
/// Source: PROTOCOL §5 fetching and wanting.
package struct Wanted: Sendable {
    /// The way in which a neighbour named an envelope, and in which it is asked for it.
    package enum Way: Int, CaseIterable, Sendable {
        /// By an announcement of the tree, and a graft.
        case announced
        /// By an offer or a comparison, and a want.
        case offered
    }

    struct Holder: Sendable {
        let link: LinkID
        let way: Way
    }

    /// One envelope.
    struct Entry: Sendable {
        /// The neighbours that can be asked or are being asked, in the order in which they named it.
        fileprivate(set) var holders: [Holder]
        /// The time at which it was first named.
        let since: MeshInstant
        /// The first two neighbours that announced it as fresh.
        fileprivate var freshAnnouncers: (first: LinkID?, second: LinkID?) = (nil, nil)
        /// The neighbour that was asked, and the time.
        fileprivate(set) var asked: (holder: Holder, time: MeshInstant)?
        /// The time of its next turn; the distant future if it waits in a queue, or for what was offered.
        fileprivate(set) var due: MeshInstant

        /// Whether a neighbour announced it as fresh.
        var isFresh: Bool { freshAnnouncers.first != nil }

        /// Returns whether a neighbour other than this one announced it as fresh.
        func isFresh(besides link: LinkID) -> Bool {
            [freshAnnouncers.first, freshAnnouncers.second].contains { $0 != nil && $0 != link }
        }

        /// Adds a holder; returns false if it is known, or there is no room.
        fileprivate mutating func add(_ holder: Holder) -> Bool {
            guard holders.count < Wanted.holderLimit, !holders.contains(where: { $0.link == holder.link }) else {
                return false
            }
            holders.append(holder)
            return true
        }

        fileprivate mutating func noteFresh(by link: LinkID) {
            if freshAnnouncers.first == nil {
                freshAnnouncers.first = link
            } else if freshAnnouncers.second == nil, freshAnnouncers.first != link {
                freshAnnouncers.second = link
            }
        }
    }

    private struct Share: Sendable {
        /// Whether there was no room for something that the link offered.
        var isCut = false
        /// The ids to ask the link for next, by way; some have arrived since, or are asked of another link.
        var waiting = [Fifo<UInt64>](repeating: Fifo(), count: Way.allCases.count)
        var asked = [Set<UInt64>](repeating: [], count: Way.allCases.count)
        var namedCounts = [Int](repeating: 0, count: Way.allCases.count)
    }

    private struct Turn: Comparable, Sendable {
        let due: MeshInstant
        let shortID: UInt64

        static func < (left: Turn, right: Turn) -> Bool {
            (left.due, left.shortID) < (right.due, right.shortID)
        }
    }

    private let limit: Int
    private let announcedLimit: Int
    private var entries: [UInt64: Entry] = [:]
    private var turns = PriorityQueue<Turn>()
    private var shares: [LinkID: Share] = [:]

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - limit: The largest number of envelopes.
    ///   - announcedLimit: The largest number of envelopes that one link has announced.
    init(limit: Int, announcedLimit: Int) {
        self.limit = limit
        self.announcedLimit = announcedLimit
    }

    /// The number of envelopes that were named and have not arrived.
    package var count: Int { entries.count }

    subscript(shortID: UInt64) -> Entry? { entries[shortID] }

    /// The time of the next turn.
    ///
    /// The envelope may turn out to be postponed.
    var nextDeadline: MeshInstant { turns.first?.due ?? .distantFuture }

    /// Returns the number of envelopes that the link was asked for and has not sent.
    package func askedCount(_ way: Way, of link: LinkID) -> Int { shares[link]?.asked[way.rawValue].count ?? 0 }

    /// Returns the number of envelopes that the link has named and that have not arrived.
    package func namedCount(_ way: Way, by link: LinkID) -> Int { shares[link]?.namedCounts[way.rawValue] ?? 0 }

    /// Returns the length of a link's queue, with what has arrived since.
    func waitingCount(_ way: Way, of link: LinkID) -> Int { shares[link]?.waiting[way.rawValue].count ?? 0 }

    // MARK: - Naming

    /// Begins to take what a link names.
    mutating func add(_ link: LinkID) { shares[link] = Share() }

    /// Records that a neighbour announced an envelope, which is asked for at `due`, if nobody has brought it by then.
    ///
    /// - Parameter retry: The time that a neighbour that was asked for it may take before another is asked.
    mutating func announce(
        _ shortID: UInt64,
        by link: LinkID,
        isFresh: Bool,
        due: MeshInstant,
        retry: Duration,
        now: MeshInstant
    ) {
        guard let count = shares[link]?.namedCounts[Way.announced.rawValue] else { return }
        let holder = Holder(link: link, way: .announced)
        let hasRoom = count < announcedLimit
        guard let place = entries.index(forKey: shortID) else {
            guard hasRoom, makeRoom(for: link) else { return }
            shares[link]?.namedCounts[holder.way.rawValue] += 1
            var entry = Entry(holders: [holder], since: now, due: due)
            if isFresh { entry.noteFresh(by: link) }
            entries[shortID] = entry
            return insertTurn(shortID, due)
        }
        if isFresh { entries.values[place].noteFresh(by: link) }
        guard hasRoom, entries.values[place].add(holder) else { return }
        shares[link]?.namedCounts[holder.way.rawValue] += 1
        let due = max(due, entries.values[place].asked?.time.advanced(by: retry) ?? due)
        // An id that an offering holder is asked for has no turn until another neighbour announces it.
        if due < entries.values[place].due { put(shortID, off: due) }
    }

    /// Records that a neighbour offered an envelope, which waits in its queue.
    mutating func offer(_ shortID: UInt64, by link: LinkID, now: MeshInstant) {
        guard shares[link] != nil else { return }
        let holder = Holder(link: link, way: .offered)
        guard let place = entries.index(forKey: shortID) else {
            guard makeRoom(for: link) else {
                shares[link]?.isCut = true
                return
            }
            shares[link]?.namedCounts[holder.way.rawValue] += 1
            entries[shortID] = Entry(holders: [holder], since: now, due: .distantFuture)
            return queue(shortID, at: holder)
        }
        guard entries.values[place].add(holder) else { return }
        shares[link]?.namedCounts[holder.way.rawValue] += 1
        if entries.values[place].asked == nil { queue(shortID, at: holder) }
    }

    /// Returns whether there was no room for something that a link offered, since the last call.
    mutating func takeCut(of link: LinkID) -> Bool {
        defer { shares[link]?.isCut = false }
        return shares[link]?.isCut ?? false
    }

    /// Makes room in a full table: the link with most offers gives up its last one, unless it is this link itself.
    ///
    /// Whoever offers what does not exist thereby keeps nobody from being asked.
    private mutating func makeRoom(for link: LinkID) -> Bool {
        let offered = Way.offered.rawValue
        while entries.count >= limit {
            var longest = (count: shares[link]?.waiting[offered].count ?? 0, link: link)
            for (other, share) in shares {
                let count = share.waiting[offered].count
                if count > longest.count || count == longest.count && longest.link != link && other < longest.link {
                    longest = (count, other)
                }
            }
            guard longest.link != link, let last = shares[longest.link]?.waiting[offered].removeLast() else {
                return false
            }
            shares[longest.link]?.isCut = true
            if isWaiting(last, for: longest.link) { drop(longest.link, from: last) }
        }
        return true
    }

    // MARK: - Asking

    /// Lets an envelope wait until this holder can be asked.
    mutating func queue(_ shortID: UInt64, at holder: Holder) {
        guard let count = shares[holder.link]?.waiting[holder.way.rawValue].count else { return }
        entries[shortID]?.due = .distantFuture
        shares[holder.link]?.waiting[holder.way.rawValue].append(shortID)
        guard count > 2 * namedCount(holder.way, by: holder.link) + Self.slack else { return }
        // The queue may hold an id that has arrived since, or twice one that came back to it.
        var known: Set<UInt64> = []
        var waiting = Fifo<UInt64>()
        for other in shares[holder.link]?.waiting[holder.way.rawValue].elements ?? []
        where isWaiting(other, for: holder.link) && known.insert(other).inserted {
            waiting.append(other)
        }
        shares[holder.link]?.waiting[holder.way.rawValue] = waiting
    }

    /// Takes the next envelope that a link can be asked for from its queue.
    mutating func takeWaiting(_ way: Way, of link: LinkID) -> UInt64? {
        while let first = shares[link]?.waiting[way.rawValue].first {
            shares[link]?.waiting[way.rawValue].removeFirst()
            if isWaiting(first, for: link) { return first }
        }
        return nil
    }

    private func isWaiting(_ shortID: UInt64, for link: LinkID) -> Bool {
        guard let entry = entries[shortID], entry.asked == nil else { return false }
        return entry.holders.contains { $0.link == link }
    }

    /// Returns the next envelope whose turn has come.
    ///
    /// The caller postpones, queues, requests or settles it.
    mutating func takeTurn(now: MeshInstant) -> (shortID: UInt64, entry: Entry)? {
        while let first = turns.first, first.due <= now {
            _ = turns.removeFirst()
            if let entry = entries[first.shortID], entry.due == first.due { return (first.shortID, entry) }
        }
        return nil
    }

    /// Postpones the turn of an envelope.
    mutating func put(_ shortID: UInt64, off due: MeshInstant) {
        entries[shortID]?.due = due
        insertTurn(shortID, due)
    }

    private mutating func insertTurn(_ shortID: UInt64, _ due: MeshInstant) {
        guard due != .distantFuture else { return }
        turns.insert(Turn(due: due, shortID: shortID))
        guard turns.count > 2 * entries.count + Self.slack else { return }
        turns = PriorityQueue(
            entries.filter { $0.value.due != .distantFuture }.map { Turn(due: $0.value.due, shortID: $0.key) }
        )
    }

    /// Records that a holder is asked for an envelope, which has its next turn at `due`.
    mutating func ask(_ link: LinkID, for shortID: UInt64, now: MeshInstant, due: MeshInstant) {
        guard let place = entries.index(forKey: shortID),
            let holder = entries.values[place].holders.first(where: { $0.link == link }),
            shares[link]?.asked[holder.way.rawValue].insert(shortID) != nil
        else { return }
        entries.values[place].asked = (holder, now)
        entries.values[place].due = due
        insertTurn(shortID, due)
    }

    /// Lets envelopes wait again that a link could not be asked for.
    mutating func putBack(_ shortIDs: [UInt64], to link: LinkID) {
        for shortID in shortIDs {
            guard let holder = entries[shortID]?.asked?.holder else { continue }
            entries[shortID]?.asked = nil
            shares[link]?.asked[holder.way.rawValue].remove(shortID)
            queue(shortID, at: holder)
        }
    }

    /// Gives up the holder that was asked, if one was.
    mutating func giveUp(_ shortID: UInt64) {
        guard let holder = entries[shortID]?.asked?.holder else { return }
        entries[shortID]?.asked = nil
        shares[holder.link]?.asked[holder.way.rawValue].remove(shortID)
        drop(holder.link, from: shortID)
    }

    /// Gives up a link that was asked for what it offered; the next holders are to be asked.
    mutating func giveUp(_ link: LinkID, now: MeshInstant) {
        for shortID in (shares[link]?.asked[Way.offered.rawValue] ?? []).sorted() {
            giveUp(shortID)
            requeue(shortID, now: now)
        }
    }

    /// Removes an envelope that arrived or is given up.
    @discardableResult
    mutating func settle(_ shortID: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: shortID) else { return nil }
        for holder in entry.holders { shares[holder.link]?.namedCounts[holder.way.rawValue] -= 1 }
        if let holder = entry.asked?.holder { shares[holder.link]?.asked[holder.way.rawValue].remove(shortID) }
        return entry
    }

    /// Removes a link that ended, and the envelopes that only it had.
    mutating func remove(_ link: LinkID, now: MeshInstant) {
        guard let share = shares.removeValue(forKey: link) else { return }
        for way in Way.allCases {
            for shortID in share.asked[way.rawValue].sorted() {
                giveUp(shortID)
                requeue(shortID, now: now)
            }
            for shortID in share.waiting[way.rawValue].elements where isWaiting(shortID, for: link) {
                drop(link, from: shortID)
                requeue(shortID, now: now)
            }
        }
    }

    // MARK: - Details

    /// Removes a holder, and an envelope without any other.
    private mutating func drop(_ link: LinkID, from shortID: UInt64) {
        guard let index = entries[shortID]?.holders.firstIndex(where: { $0.link == link }),
            let holder = entries[shortID]?.holders.remove(at: index)
        else { return }
        shares[link]?.namedCounts[holder.way.rawValue] -= 1
        if entries[shortID]?.holders.isEmpty == true { settle(shortID) }
    }

    /// Lets the next holder of an envelope be asked that nobody is asked for any more.
    private mutating func requeue(_ shortID: UInt64, now: MeshInstant) {
        guard let holders = entries[shortID]?.holders else { return }
        guard let next = holders.first(where: { shares[$0.link] != nil }) else {
            settle(shortID)
            return
        }
        if next.way == .offered { queue(shortID, at: next) } else { put(shortID, off: now) }
    }

    /// The largest number of holders that are known of one envelope.
    static let holderLimit = 8
    /// The number of stale places that a queue may have in addition to two per envelope.
    private static let slack = 64
}
