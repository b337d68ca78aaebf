import Bytes
import MeshCore

/// The items that each link has brought, and the link with most of them.
///
/// A full table that takes the place of a new item from that link gives each link an equal share.
struct LinkShares<Item: Comparable & Sendable>: Sendable {
    private var items: [LinkID: SortedSet<Item>] = [:]
    /// The links by falling count.
    private var ranking = SortedSet<Keyed<Int, LinkID>>()
    /// The number of all items.
    private(set) var count = 0

    /// Returns the number of a link's items.
    func count(of link: LinkID) -> Int { items[link]?.count ?? 0 }

    /// Adds a new item.
    mutating func insert(_ item: Item, of link: LinkID) {
        change(link) { $0.insert(item) }
    }

    /// Removes an item if it is present.
    mutating func remove(_ item: Item, of link: LinkID) {
        change(link) { $0.remove(item) }
    }

    /// Returns the first item of the link with most, if another link, or this node, could have a new item for it.
    func surplus(for link: LinkID?) -> Item? {
        guard let most = ranking.first else { return nil }
        if let link, most.value == link || count(of: link) + 1 >= -most.key { return nil }
        return items[most.value]?.first
    }

    private mutating func change(_ link: LinkID, _ body: (inout SortedSet<Item>) -> Void) {
        let old = count(of: link)
        body(&items[link, default: SortedSet()])
        let new = count(of: link)
        count += new - old
        ranking.remove(Keyed(key: -old, value: link))
        if new > 0 {
            ranking.insert(Keyed(key: -new, value: link))
        } else {
            items[link] = nil
        }
    }
}
