/// Where a label's end is, seen from here.
enum PathHop: Hashable, Sendable {
    /// The end is this node.
    case here
    /// The end is reached over this link.
    case link(LinkID)
}

/// The labels known and the way to each: where it was first heard of, and for the time of a probe a second way.
///
/// Invariant: a route leads over a link that is up, or to this node; `counts` says over which how many lead. No more
/// than `labelsPerLink` lead over one, and no more than `labelLimit` are known: the one that would be forgotten first
/// makes room. Source: PROTOCOL §5.1.
struct PathTable: Sendable {
    private struct Route: Sendable {
        var next: PathHop
        /// A neighbour that heard of the label no later than this node did, so that no way through it comes back.
        var second: LinkID?
        /// How far the probe had come when it was heard first; nil for a label that an answer brought.
        var probeHops: UInt8?
        /// When neighbours that no payload has passed forget the label.
        let probeEnd: MeshInstant
        /// Who sent to the label last, and is told when there is no way to it.
        var user: PathHop?
        var expires: MeshInstant
    }

    private let configuration: PathConfiguration
    private var routes: [PathLabel: Route] = [:]
    private var counts: [PathHop: Int] = [:]
    /// No label is forgotten before this.
    private(set) var nextExpiry = MeshInstant.distantFuture

    init(configuration: PathConfiguration) {
        self.configuration = configuration
    }

    /// How many labels are known.
    var count: Int { routes.count }

    /// How many paths lead over this node, or end at it: each has one label that an answer brought.
    var openCount: Int { routes.values.count { $0.probeHops == nil } }

    /// How many labels have their way over this hop.
    func count(over hop: PathHop) -> Int { counts[hop] ?? 0 }

    /// The way to a label; nil where none is known.
    func next(to label: PathLabel) -> PathHop? { routes[label]?.next }

    // MARK: - Learning

    /// Takes note of a label that a probe brought; a known one keeps its way, and may get a second.
    mutating func note(_ label: PathLabel, over hop: PathHop, probeHops: UInt8, now: MeshInstant) {
        guard let known = routes[label] else {
            return insert(label, over: hop, probeHops: probeHops, life: configuration.probedLife, now: now)
        }
        guard case .link(let link) = hop, known.next != hop, known.next != .here, known.second == nil,
            let first = known.probeHops, probeHops <= first
        else { return }
        routes[label]?.second = link
    }

    /// Takes note of a label that an answer brought; a known one keeps its way.
    mutating func learn(_ label: PathLabel, over hop: PathHop, now: MeshInstant) {
        guard routes[label] == nil else { return }
        insert(label, over: hop, probeHops: nil, life: configuration.usedLife, now: now)
    }

    private mutating func insert(
        _ label: PathLabel,
        over hop: PathHop,
        probeHops: UInt8?,
        life: Duration,
        now: MeshInstant
    ) {
        if count(over: hop) >= configuration.labelsPerLink { evict(over: hop) }
        if routes.count >= configuration.labelLimit, let fullest = counts.max(by: Self.isFuller)?.key {
            evict(over: fullest)
        }
        let expires = now.advanced(by: life)
        let probeEnd = now.advanced(by: configuration.probedLife)
        routes[label] = Route(next: hop, probeHops: probeHops, probeEnd: probeEnd, expires: expires)
        counts[hop, default: 0] += 1
        nextExpiry = min(nextExpiry, expires)
    }

    private static func isFuller(_ left: (key: PathHop, value: Int), _ right: (key: PathHop, value: Int)) -> Bool {
        (left.value, right.key.rank) < (right.value, left.key.rank)
    }

    private mutating func evict(over hop: PathHop) {
        let candidates = routes.filter { $0.value.next == hop }
        guard let first = candidates.min(by: { ($0.value.expires, $0.key) < ($1.value.expires, $1.key) }) else {
            return
        }
        remove(first.key)
    }

    private mutating func remove(_ label: PathLabel) {
        guard let route = routes.removeValue(forKey: label) else { return }
        discount(route.next)
    }

    private mutating func discount(_ hop: PathHop) {
        let left = count(over: hop) - 1
        counts[hop] = left > 0 ? left : nil
    }

    // MARK: - Using

    /// The way to a label that a payload of `user` goes to, which keeps the label from being forgotten.
    mutating func use(_ label: PathLabel, by user: PathHop, now: MeshInstant) -> PathHop? {
        guard let next = routes[label]?.next, next != user else { return nil }
        routes[label]?.user = user
        routes[label]?.expires = now.advanced(by: configuration.usedLife)
        return next
    }

    // MARK: - Losing

    /// What became of a label whose way over a link is no more.
    enum Loss: Equatable, Sendable {
        /// The second way is the first from now on.
        case turned(PathLabel)
        /// It is forgotten; who sent to it last is to be told.
        case lost(PathLabel, user: PathHop?)
    }

    /// Takes a link away; answers what that means for each label, in their order.
    mutating func linkDown(_ link: LinkID, now: MeshInstant) -> [Loss] {
        for label in routes.keys {
            if routes[label]?.second == link { routes[label]?.second = nil }
            if routes[label]?.user == .link(link) { routes[label]?.user = nil }
        }
        let broken = routes.filter { $0.value.next == .link(link) }.keys.sorted()
        return broken.compactMap { lose($0, over: link, now: now) }
    }

    /// Takes a neighbour's word that it knows no way to a label; nil if the way did not lead over it.
    mutating func lose(_ label: PathLabel, over link: LinkID, now: MeshInstant) -> Loss? {
        guard let route = routes[label], route.next == .link(link) else { return nil }
        guard let second = route.second, now < route.probeEnd else {
            remove(label)
            return .lost(label, user: route.user)
        }
        if count(over: .link(second)) >= configuration.labelsPerLink { evict(over: .link(second)) }
        discount(route.next)
        counts[.link(second), default: 0] += 1
        routes[label]?.next = .link(second)
        routes[label]?.second = nil
        return .turned(label)
    }

    /// Forgets what is due.
    mutating func expire(now: MeshInstant) {
        guard nextExpiry <= now else { return }
        for (label, route) in routes where route.expires <= now { remove(label) }
        nextExpiry = routes.values.map(\.expires).min() ?? .distantFuture
    }
}

extension PathHop {
    /// An order for choices that must not depend on hash values.
    fileprivate var rank: UInt64 {
        switch self {
        case .here: 0
        case .link(let link): link.value
        }
    }
}
