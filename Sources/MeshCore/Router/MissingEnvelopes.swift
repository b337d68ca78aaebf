import Bytes

/// The envelopes that neighbours have announced and that have not arrived, each with the time of its next action.
///
/// Invariants: `announcedCounts` counts for each link the entries that it announced, `asked` those for which it was asked
/// last; every entry has an element in `turns` that is not later than its `due`.
package struct MissingEnvelopes: Sendable {
    /// One envelope.
    struct Entry: Sendable {
        /// The neighbours that can still be asked, ordered by the time of their announcement.
        var announcers: [LinkID]
        /// The time of the first announcement.
        let since: MeshInstant
        /// The lane of the announcement.
        let lane: Lane
        /// The first two neighbours that announced it as fresh.
        var freshAnnouncers: [LinkID]
        /// The neighbour that was asked, and the time.
        var asked: (link: LinkID, time: MeshInstant)?
        var due: MeshInstant

        /// Returns whether a neighbour other than this one announced it as fresh.
        func isFresh(besides link: LinkID) -> Bool { freshAnnouncers.contains { $0 != link } }
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
    private var announcedCounts: [LinkID: Int] = [:]
    private var asked: [LinkID: Int] = [:]

    /// Creates an empty list.
    ///
    /// - Parameter limit: The largest number of announced envelopes for one link.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of envelopes that were announced and have not arrived.
    package var count: Int { entries.count }

    subscript(shortID: UInt64) -> Entry? { entries[shortID] }

    /// The time of the next turn.
    ///
    /// The envelope may turn out to be postponed.
    var nextDeadline: MeshInstant { turns.first?.due ?? .distantFuture }

    /// Returns the number of envelopes that the link was asked for and has not sent.
    package func askedCount(of link: LinkID) -> Int { asked[link] ?? 0 }

    func isAsked(_ shortID: UInt64, of link: LinkID) -> Bool { entries[shortID]?.asked?.link == link }

    // MARK: - Changing

    /// Records that a neighbour has an envelope.
    ///
    /// Announcements of a neighbour at its limit are ignored.
    mutating func announce(
        _ shortID: UInt64,
        by link: LinkID,
        lane: Lane,
        due: MeshInstant,
        now: MeshInstant
    ) {
        noteFresh(shortID, by: link, lane: lane)
        let entry = entries[shortID]
        guard announcedCounts[link] ?? 0 < limit, entry?.asked?.link != link, entry?.announcers.contains(link) != true
        else {
            return
        }
        announcedCounts[link, default: 0] += 1
        if entry == nil {
            entries[shortID] = Entry(
                announcers: [link],
                since: now,
                lane: lane,
                freshAnnouncers: lane.isFresh ? [link] : [],
                asked: nil,
                due: due
            )
            schedule(shortID, at: due)
        } else {
            entries[shortID]?.announcers.append(link)
            if let entry, due < entry.due { put(shortID, off: due) }
        }
    }

    /// Removes an envelope that arrived or is given up.
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

    /// Returns the next envelope whose turn has come.
    ///
    /// The caller postpones, requests or settles it.
    mutating func takeTurn(now: MeshInstant) -> UInt64? {
        while let first = turns.first, first.due <= now {
            _ = turns.removeFirst()
            if entries[first.shortID]?.due == first.due { return first.shortID }
        }
        return nil
    }

    /// Postpones the turn of an envelope.
    mutating func put(_ shortID: UInt64, off due: MeshInstant) {
        entries[shortID]?.due = due
        schedule(shortID, at: due)
    }

    /// Records that one of its announcers is asked for an envelope: the first one, or one after another that did not
    /// answer.
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

    /// Removes the announcements of a link that ended, and the envelopes that only it had.
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

    private mutating func noteFresh(_ shortID: UInt64, by link: LinkID, lane: Lane) {
        guard lane.isFresh, let known = entries[shortID]?.freshAnnouncers, known.count < 2, !known.contains(link) else {
            return
        }
        entries[shortID]?.freshAnnouncers.append(link)
    }

    private mutating func release(_ entry: inout Entry) {
        guard let link = entry.asked?.link else { return }
        entry.asked = nil
        withdraw(link)
        asked[link] = asked[link].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private mutating func withdraw(_ link: LinkID) {
        announcedCounts[link] = announcedCounts[link].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private mutating func schedule(_ shortID: UInt64, at due: MeshInstant) {
        turns.insert(Turn(due: due, shortID: shortID))
        compact()
    }

    /// Discards turns that are stale, so that their number stays in proportion to the envelopes.
    private mutating func compact() {
        guard turns.count > 2 * entries.count + Self.slack else { return }
        turns = PriorityQueue(entries.map { Turn(due: $0.value.due, shortID: $0.key) })
    }

    /// The number of stale turns that are allowed in addition to one per envelope.
    private static let slack = 64
}
