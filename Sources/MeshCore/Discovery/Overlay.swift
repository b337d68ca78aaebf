/// The links and dials of one node, as far as choosing among neighbours needs them.
struct Overlay: Sendable {
    /// Why a link was dialled.
    enum Purpose: Sendable, Equatable {
        /// There were too few links.
        case fill
        /// It replaces another.
        case replacement
        /// It joins two components, and is kept for that.
        case bridge
        /// It is one of the links wanted always.
        case staticPeer
        /// A path leads to the node.
        case path
    }

    /// One link that is up.
    struct Link: Sendable {
        var info: LinkInfo
        /// The other node by its latest id; `info.node` is the id that the handshake gave.
        var node: NodeID
        /// Replacing links leaves it alone.
        var isKept: Bool
        /// It has been given up for another and is about to end.
        var isEnding = false
        /// From the first beacon of the neighbour to this link, if it is the first with it and was wanted at once.
        var discoveryTime: Duration?
    }

    /// A dial whose end is not known.
    struct Dial: Sendable {
        /// Nil for a static peer.
        var node: NodeID?
        let endpoint: Endpoint
        let purpose: Purpose
        /// When it is taken for failed if nothing is heard of it.
        let expires: MeshInstant
    }

    /// An address that a link is wanted to always.
    struct StaticPeer: Sendable {
        let endpoint: Endpoint
        var link: LinkID?
        var failureCount = 0
        var dialNotBefore = MeshInstant.zero
    }

    /// In the order of their numbers.
    private(set) var links: [Link] = []
    private(set) var dials: [Dial] = []
    var staticPeers: [StaticPeer] = []

    /// Links that are up and stay.
    var linkCount: Int { links.count { !$0.isEnding } }

    /// Links that are up and stay, and dials.
    var engagedCount: Int { linkCount + dials.count }

    /// The latest id of the node that the link leads to; nil for a link that is not up.
    func node(of link: LinkID) -> NodeID? { links.first { $0.info.id == link }?.node }

    /// Whether a link to the node is up.
    func isLinked(_ node: NodeID) -> Bool { links.contains { $0.node == node } }

    /// Whether a link to the node is up or dialled.
    func isEngaged(_ node: NodeID) -> Bool { isLinked(node) || dials.contains { $0.node == node } }

    /// Whether an endpoint is being dialled.
    func isDialling(_ endpoint: Endpoint) -> Bool { dials.contains { $0.endpoint == endpoint } }

    /// Takes a link that has come up, or whose path has moved; answers the dial that made it, if it is one of these.
    mutating func linkUp(_ info: LinkInfo) -> Dial? {
        if let index = links.firstIndex(where: { $0.info.id == info.id }) {
            links[index].info = info
            return nil
        }
        let made = dials.first { $0.node == info.node || $0.endpoint == info.endpoint }
        dials.removeAll { $0.node == info.node || $0.endpoint == info.endpoint }
        let isKept = made?.purpose == .bridge || made?.purpose == .staticPeer
        let index = links.firstIndex { info.id < $0.info.id } ?? links.endIndex
        links.insert(Link(info: info, node: info.node, isKept: isKept), at: index)
        for peer in staticPeers.indices where staticPeers[peer].endpoint == info.endpoint {
            staticPeers[peer].link = info.id
            staticPeers[peer].failureCount = 0
            links[index].isKept = true
        }
        return made
    }

    /// Takes a link out; answers it.
    mutating func linkDown(_ id: LinkID) -> Link? {
        for peer in staticPeers.indices where staticPeers[peer].link == id { staticPeers[peer].link = nil }
        return links.firstIndex { $0.info.id == id }.map { links.remove(at: $0) }
    }

    /// Notes a dial.
    mutating func dialled(_ dial: Dial) { dials.append(dial) }

    /// Takes the dials to an endpoint out.
    mutating func dialEnded(at endpoint: Endpoint) { dials.removeAll { $0.endpoint == endpoint } }

    /// Carries links and dials over to another node id of the same node.
    mutating func rename(_ node: NodeID, to newNode: NodeID) {
        for index in links.indices where links[index].node == node { links[index].node = newNode }
        for index in dials.indices where dials[index].node == node { dials[index].node = newNode }
    }

    /// Notes how long a link took.
    mutating func note(_ discoveryTime: Duration?, of id: LinkID) {
        for index in links.indices where links[index].info.id == id { links[index].discoveryTime = discoveryTime }
    }

    /// Marks a link as given up.
    mutating func markEnding(_ id: LinkID) {
        for index in links.indices where links[index].info.id == id { links[index].isEnding = true }
    }

    /// The link that may be given up for another: the youngest dialled from here, but none of the `kept` oldest, none
    /// that is kept for a reason, and not the one just made.
    func replaceable(except new: LinkID?, oldestKept kept: Int, where isSpare: (Link) -> Bool) -> LinkID? {
        let byAge = links.filter { !$0.isEnding }.sorted { ($0.info.since, $0.info.id) < ($1.info.since, $1.info.id) }
        let young = byAge.dropFirst(kept)
        return young.last { $0.info.dialledHere && !$0.isKept && $0.info.id != new && isSpare($0) }?.info.id
    }
}
