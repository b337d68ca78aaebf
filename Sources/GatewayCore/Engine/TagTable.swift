import Bytes
import MeshCore

/// The tags whose mail this gateway fetches, each for a time.
///
/// Nodes of this network ask for tags; each link has an equal share of the table. Random tags among those that are
/// subscribed hide the number of the real ones from the hub.
struct TagTable: Sendable {
    /// The reason why a tag is in the table.
    private enum Holder: Equatable, Sendable {
        case own
        case link(LinkID)
        case cover
    }

    private struct Entry: Sendable {
        var holder: Holder
        var until: MeshInstant
        var isSubscribed: Bool
    }

    /// The effect of a request that the table has room for.
    struct Admission: Equatable, Sendable {
        /// The tags that have lost their places.
        var evicted: [MailTag] = []
    }

    private typealias End = Keyed<MeshInstant, MailTag>

    private var entries: [MailTag: Entry] = [:]
    private var ends = SortedSet<End>()
    private var shares = LinkShares<End>()
    private var ownCount = 0
    /// The random tags.
    private var covers = SortedSet<End>()
    /// The number of subscribed tags, random ones included.
    private(set) var subscribedCount = 0

    /// The number of tags that nodes watch.
    var count: Int { entries.count - covers.count }
    /// The number of tags of other nodes.
    var otherCount: Int { shares.count }
    /// All tags that are to be fetched, and whether each is subscribed.
    var all: some Sequence<(tag: MailTag, isSubscribed: Bool)> { entries.lazy.map { ($0, $1.isSubscribed) } }
    /// The tags of other nodes.
    var others: [MailTag] {
        entries.compactMap { tag, entry in if case .link = entry.holder { tag } else { nil } }
    }
    /// The first end of a time.
    var deadline: MeshInstant? { ends.first?.key }

    /// The number of random tags that the subscriptions lack.
    var missingCoverCount: Int {
        let real = subscribedCount - covers.count
        var size = GatewayLimits.leastTagCount
        while size < real { size *= 2 }
        return max(0, min(size, GatewayLimits.subscriptionCount) - subscribedCount)
    }

    /// Returns whether a node of this network watches the tag.
    func isWatched(_ tag: MailTag) -> Bool { entries[tag].map { $0.holder != .cover } ?? false }

    /// Returns whether the tag is subscribed.
    func isSubscribed(_ tag: MailTag) -> Bool { entries[tag]?.isSubscribed ?? false }

    /// Takes a request for a tag from a link, or of this node; nil if the table is full.
    ///
    /// - Parameter left: The time that is left of the request.
    mutating func watch(
        _ tag: MailTag,
        for left: Duration = GatewayLimits.watchTime,
        subscribes: Bool,
        from link: LinkID?,
        now: MeshInstant
    ) -> Admission? {
        let until = now.advanced(by: min(left, GatewayLimits.watchTime))
        let old = entries[tag]
        let isSubscribed = subscribes || old?.isSubscribed ?? false
        let holder = holder(of: tag, asking: link)
        var admission = Admission()
        if needsRoom(holder, after: old?.holder), !hasRoom(for: holder) {
            if let old, old.holder != .cover {
                // The tag stays with the link that it had.
                set(tag, Entry(holder: old.holder, until: max(old.until, until), isSubscribed: isSubscribed))
                return Admission()
            }
            guard case .link(let link) = holder, let end = shares.surplus(for: link) else { return nil }
            admission.evicted.append(end.value)
            remove(end.value)
        }
        set(tag, Entry(holder: holder, until: max(old?.until ?? until, until), isSubscribed: isSubscribed))
        if subscribedCount > GatewayLimits.subscriptionCount, let cover = covers.first {
            admission.evicted.append(cover.value)
            remove(cover.value)
        }
        return admission
    }

    /// Adds a random tag.
    mutating func cover(_ tag: MailTag, until: MeshInstant) {
        guard entries[tag] == nil else { return }
        set(tag, Entry(holder: .cover, until: until, isSubscribed: true))
    }

    /// Returns a tag whose time is over; nil if there is none.
    func ended(by now: MeshInstant) -> MailTag? { ends.first.flatMap { $0.key <= now ? $0.value : nil } }

    /// Keeps a tag for a while, as its mail is being fetched.
    mutating func keep(_ tag: MailTag, now: MeshInstant) {
        guard var entry = entries[tag] else { return }
        entry.until = now.advanced(by: GatewayLimits.watchGrace)
        set(tag, entry)
    }

    /// Removes a tag; returns whether it was subscribed.
    mutating func end(_ tag: MailTag) -> Bool {
        defer { remove(tag) }
        return isSubscribed(tag)
    }

    // MARK: - Details

    /// Returns who is charged for the tag: this node, or else the link with fewest tags of those that asked for it.
    private func holder(of tag: MailTag, asking link: LinkID?) -> Holder {
        guard let link else { return .own }
        switch entries[tag]?.holder {
        case .own: return .own
        case .link(let old): return shares.count(of: link) + 1 < shares.count(of: old) ? .link(link) : .link(old)
        case .cover, nil: return .link(link)
        }
    }

    private func needsRoom(_ holder: Holder, after old: Holder?) -> Bool {
        switch (old, holder) {
        case (.own, .own), (.link, .link): false
        default: true
        }
    }

    private func hasRoom(for holder: Holder) -> Bool {
        switch holder {
        case .own: ownCount < GatewayLimits.ownTagCount
        case .link: shares.count < GatewayLimits.otherTagCount
        case .cover: true
        }
    }

    private mutating func set(_ tag: MailTag, _ entry: Entry) {
        remove(tag)
        entries[tag] = entry
        count(entry, of: tag, isAdded: true)
    }

    private mutating func remove(_ tag: MailTag) {
        guard let entry = entries.removeValue(forKey: tag) else { return }
        count(entry, of: tag, isAdded: false)
    }

    private mutating func count(_ entry: Entry, of tag: MailTag, isAdded: Bool) {
        let end = End(key: entry.until, value: tag)
        if isAdded { ends.insert(end) } else { ends.remove(end) }
        let step = isAdded ? 1 : -1
        if entry.isSubscribed { subscribedCount += step }
        switch entry.holder {
        case .own: ownCount += step
        case .cover: if isAdded { covers.insert(end) } else { covers.remove(end) }
        case .link(let link): if isAdded { shares.insert(end, of: link) } else { shares.remove(end, of: link) }
        }
    }
}
