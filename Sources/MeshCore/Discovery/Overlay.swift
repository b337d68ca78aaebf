/// The links and dials of one node, as needed to choose among neighbours.
struct Overlay: Sendable {
    /// The reason for a dial.
    enum Purpose: Sendable, Equatable {
        /// The node has too few links.
        case fill
        /// The link takes the place of another.
        case rotation
        /// The link leads to a static peer.
        case staticPeer
        /// A path leads to the node.
        case path
        /// The node keeps mail that this one may lack.
        case shelf
    }

    /// One link that is up.
    struct Link: Sendable {
        /// The description, with the other node's id in the handshake.
        var info: LinkInfo
        /// Whether rotation must not choose this link.
        var isKept: Bool
        /// Whether this node dialled it because a path or trail leads to the other one.
        var leadsPath = false
        /// Whether this node dialled it to read the other one's shelf.
        var readsShelf = false
        /// Whether the link was given up for another and is about to end.
        var isEnding = false
        /// The time from the neighbour's first beacon to this link, if it is the first link with it and was wanted at
        /// once.
        var discoveryTime: Duration?
    }

    /// A dial without a known result.
    struct Dial: Sendable {
        /// The node; nil for a static peer.
        let node: NodeID?
        let endpoint: Endpoint
        let purpose: Purpose
        /// The time at which the dial counts as failed if there is no result.
        let expires: MeshInstant

        /// Whether the link has a place beside those of the own choice.
        var leadsPath: Bool { purpose == .path || purpose == .shelf }
    }

    /// An address to which a link is always wanted.
    struct StaticPeer: Sendable {
        let endpoint: Endpoint
        var link: LinkID?
        var failureCount = 0
        var dialNotBefore = MeshInstant.zero
    }

    /// The links in the order of their numbers.
    private(set) var links: [Link] = []
    private(set) var dials: [Dial] = []
    var staticPeers: [StaticPeer] = []

    /// The number of links that are up and stay.
    var linkCount: Int { links.count { !$0.isEnding } }

    /// The number of links that this node dialled by its own choice and that stay.
    ///
    /// It chooses these itself, so that nobody can choose all its neighbours for it.
    var dialledCount: Int { links.count { $0.info.dialledHere && !$0.leadsPath && !$0.isEnding } }

    /// The number of links that are up and stay, and of dials.
    var engagedCount: Int { linkCount + dials.count }

    /// The number of links, and of dials, that were made because a path or trail leads to the node.
    ///
    /// They have places of their own, so that neither those who came first nor the own choice keep a way from opening.
    var pathCount: Int { links.count { $0.leadsPath && !$0.isEnding } + dials.count(where: \.leadsPath) }

    /// The number of other links that this node dialled, and of its other dials.
    var ownCount: Int {
        links.count { $0.info.dialledHere && !$0.leadsPath } + dials.count { !$0.leadsPath }
    }

    /// Returns the number of dials, and of links below an age, that were made to read a shelf.
    ///
    /// Older ones count no more: nobody keeps the node from reading by links that do not end.
    func shelfCount(youngerThan age: Duration, at now: MeshInstant) -> Int {
        links.count { $0.readsShelf && !$0.isEnding && now < $0.info.since.advanced(by: age) }
            + dials.count { $0.purpose == .shelf }
    }

    /// Returns whether an endpoint is being dialled.
    func isDialling(_ endpoint: Endpoint) -> Bool { dials.contains { $0.endpoint == endpoint } }

    /// Records a link that has come up, or whose path has moved; returns the dial that made it, if it was dialled here.
    mutating func linkUp(_ info: LinkInfo) -> Dial? {
        if let index = links.firstIndex(where: { $0.info.id == info.id }) {
            links[index].info = info
            return nil
        }
        let made = dials.first { $0.node == info.node || $0.endpoint == info.endpoint }
        dials.removeAll { $0.node == info.node || $0.endpoint == info.endpoint }
        let isKept = made?.purpose == .staticPeer
        let index = links.firstIndex { info.id < $0.info.id } ?? links.endIndex
        let readsShelf = made?.purpose == .shelf && info.dialledHere
        let leadsPath = made?.leadsPath == true && info.dialledHere
        links.insert(Link(info: info, isKept: isKept, leadsPath: leadsPath, readsShelf: readsShelf), at: index)
        for peer in staticPeers.indices where staticPeers[peer].endpoint == info.endpoint {
            staticPeers[peer].link = info.id
            staticPeers[peer].failureCount = 0
            links[index].isKept = true
        }
        return made
    }

    /// Removes a link and returns it.
    mutating func linkDown(_ id: LinkID) -> Link? {
        for peer in staticPeers.indices where staticPeers[peer].link == id { staticPeers[peer].link = nil }
        return links.firstIndex { $0.info.id == id }.map { links.remove(at: $0) }
    }

    /// Records a dial.
    mutating func dialled(_ dial: Dial) { dials.append(dial) }

    /// Removes the dials to an endpoint.
    mutating func dialEnded(at endpoint: Endpoint) { dials.removeAll { $0.endpoint == endpoint } }

    /// Records the discovery time of a link.
    mutating func note(_ discoveryTime: Duration?, of id: LinkID) {
        for index in links.indices where links[index].info.id == id { links[index].discoveryTime = discoveryTime }
    }

    /// Marks a link as given up.
    mutating func markEnding(_ id: LinkID) {
        for index in links.indices where links[index].info.id == id { links[index].isEnding = true }
    }

    /// Returns the path link whose place a new one takes: the first in this order that has an age.
    func replaceablePath(among order: [LinkID], aged age: Duration, at now: MeshInstant) -> LinkID? {
        let old = links.filter { $0.leadsPath && !$0.isEnding && $0.info.since.advanced(by: age) <= now }
        return order.first { id in old.contains { $0.info.id == id } }
    }

    /// Returns the link whose place another may take: the first in this order that the node dialled by its own choice,
    /// but not one of the `kept` oldest, not one that is kept for a reason, and not the link just made.
    func replaceable(
        except new: LinkID,
        among order: [LinkID],
        oldestKept kept: Int,
        where isSpare: (Link) -> Bool
    ) -> LinkID? {
        let byAge = links.filter { !$0.isEnding }.sorted { ($0.info.since, $0.info.id) < ($1.info.since, $1.info.id) }
        let spare = byAge.dropFirst(kept).filter {
            $0.info.dialledHere && !$0.leadsPath && !$0.isKept && $0.info.id != new && isSpare($0)
        }
        return order.first { id in spare.contains { $0.info.id == id } }
    }
}
