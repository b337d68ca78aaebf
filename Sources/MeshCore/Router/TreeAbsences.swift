import Bytes

/// The envelopes that neighbours have announced and that have not come, each with the next moment to do something.
///
/// Invariants: `standings` counts for each link the entries that it announced, `asked` those it was asked for last;
/// every entry has an element in `turns` that is not later than due.
package struct TreeAbsences: Sendable {
    /// One envelope.
    struct Entry: Sendable {
        /// The neighbours that can still be asked, the first to announce it in front.
        var announcers: [LinkID]
        /// When it was first announced.
        let since: MeshInstant
        /// The lane on which it was announced.
        let lane: Lane
        /// The neighbour that was asked, and when.
        var asked: (link: LinkID, time: MeshInstant)?
        var due: MeshInstant
    }

    private struct Turn: Comparable, Sendable {
        let due: MeshInstant
        let shortID: UInt64

        static func < (left: Turn, right: Turn) -> Bool {
            (left.due, left.shortID) < (right.due, right.shortID)
        }
    }

    private let limit: Int
    private var entries: [UInt64: Entry] = [:]
    private var turns = PriorityQueue<Turn>()
    private var standings: [LinkID: Int] = [:]
    private var asked: [LinkID: Int] = [:]

    /// - Parameter limit: How many envelopes one link can stand for.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many envelopes have been announced and not come.
    package var count: Int { entries.count }

    subscript(shortID: UInt64) -> Entry? { entries[shortID] }

    /// When an envelope's turn comes; it may turn out that it has been put off.
    var nextDeadline: MeshInstant { turns.first?.due ?? .distantFuture }

    /// How many envelopes the link was asked for and has not sent.
    package func askedCount(of link: LinkID) -> Int { asked[link] ?? 0 }

    func isAsked(_ shortID: UInt64, of link: LinkID) -> Bool { entries[shortID]?.asked?.link == link }

    // MARK: - Changing

    /// Notes that a neighbour has an envelope; one that stands for too many already is not listened to.
    mutating func announce(
        _ shortID: UInt64,
        by link: LinkID,
        lane: Lane,
        due: MeshInstant,
        now: MeshInstant
    ) {
        let entry = entries[shortID]
        guard standings[link] ?? 0 < limit, entry?.asked?.link != link, entry?.announcers.contains(link) != true else {
            return
        }
        standings[link, default: 0] += 1
        if entry == nil {
            entries[shortID] = Entry(announcers: [link], since: now, lane: lane, asked: nil, due: due)
            schedule(shortID, at: due)
        } else {
            entries[shortID]?.announcers.append(link)
            if let entry, due < entry.due { put(shortID, off: due) }
        }
    }

    /// Takes an envelope out, since it came or is given up.
    @discardableResult
    mutating func settle(_ shortID: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: shortID) else { return nil }
        for link in entry.announcers { withdraw(link) }
        if let link = entry.asked?.link {
            withdraw(link)
            asked[link] = asked[link].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        compact()
        return entry
    }

    /// The next envelope whose turn has come; it is to be put off, asked for or settled.
    mutating func takeTurn(now: MeshInstant) -> UInt64? {
        while let first = turns.first, first.due <= now {
            _ = turns.removeFirst()
            if entries[first.shortID]?.due == first.due { return first.shortID }
        }
        return nil
    }

    /// Moves an envelope's turn.
    mutating func put(_ shortID: UInt64, off due: MeshInstant) {
        entries[shortID]?.due = due
        schedule(shortID, at: due)
    }

    /// Notes that one of its announcers is asked for an envelope, after nobody or after another who did not answer.
    mutating func ask(_ link: LinkID, for shortID: UInt64, now: MeshInstant, due: MeshInstant) {
        guard var entry = entries[shortID], let place = entry.announcers.firstIndex(of: link) else { return }
        release(&entry)
        entry.announcers.remove(at: place)
        entry.asked = (link, now)
        entry.due = due
        asked[link, default: 0] += 1
        entries[shortID] = entry
        schedule(shortID, at: due)
    }

    /// Forgets all that a link that ended has announced; what only it had is forgotten with it.
    mutating func remove(_ link: LinkID, now: MeshInstant) {
        for shortID in entries.keys.sorted() {
            guard var entry = entries[shortID] else { continue }
            if let place = entry.announcers.firstIndex(of: link) {
                entry.announcers.remove(at: place)
                withdraw(link)
            } else if entry.asked?.link == link {
                release(&entry)
                entry.due = now
                schedule(shortID, at: now)
            } else {
                continue
            }
            entries[shortID] = entry
            if entry.announcers.isEmpty, entry.asked == nil { settle(shortID) }
        }
    }

    // MARK: - Details

    private mutating func release(_ entry: inout Entry) {
        guard let link = entry.asked?.link else { return }
        entry.asked = nil
        withdraw(link)
        asked[link] = asked[link].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private mutating func withdraw(_ link: LinkID) {
        standings[link] = standings[link].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private mutating func schedule(_ shortID: UInt64, at due: MeshInstant) {
        turns.insert(Turn(due: due, shortID: shortID))
        compact()
    }

    /// Forgets turns that have been moved or are of no use any more, so that they stay in proportion to the envelopes.
    private mutating func compact() {
        guard turns.count > 2 * entries.count + Self.slack else { return }
        turns = PriorityQueue(entries.map { Turn(due: $0.value.due, shortID: $0.key) })
    }

    /// How many stale turns there may be besides as many as there are envelopes.
    private static let slack = 64
}
