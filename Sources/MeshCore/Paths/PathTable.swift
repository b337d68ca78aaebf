/// The direction of a label's end from this node.
enum PathHop: Hashable, Sendable {
    /// The end is this node.
    case here
    /// The end is reachable over this link.
    case link(LinkID)
}

/// The known labels and the path to each: the link on which it was first received.
///
/// Invariant: a route leads over a link that is up, or to this node; `counts` has the number of routes over each. At
/// most `labelsPerLink` routes lead over one link, and at most `labelLimit` labels are known. The label that would
/// expire first makes room. Source: PROTOCOL §5.1.
struct PathTable: Sendable {
    private struct Route: Sendable {
        let next: PathHop
        /// Whether a probe brought the label; an answer brings the other label of a path.
        let isProbed: Bool
        /// The last sender to the label, which is notified when the label becomes unreachable.
        var user: PathHop?
        var expires: MeshInstant
    }

    private let configuration: PathConfiguration
    private var routes: [PathLabel: Route] = [:]
    private var counts: [PathHop: Int] = [:]
    /// The time before which no label expires.
    private(set) var nextExpiry = MeshInstant.distantFuture

    init(configuration: PathConfiguration) {
        self.configuration = configuration
    }

    /// The number of known labels.
    var count: Int { routes.count }

    /// The number of paths that pass through this node or end at it.
    ///
    /// Each has one label that an answer brought.
    var openCount: Int { routes.values.count { !$0.isProbed } }

    /// Returns the number of labels with a path over this hop.
    func count(over hop: PathHop) -> Int { counts[hop] ?? 0 }

    /// Returns the path to a label; nil if none is known.
    func next(to label: PathLabel) -> PathHop? { routes[label]?.next }

    // MARK: - Learning

    /// Records a label that a probe brought.
    ///
    /// A known label keeps its path.
    mutating func note(_ label: PathLabel, over hop: PathHop, now: MeshInstant) {
        insert(label, over: hop, isProbed: true, life: configuration.probedLife, now: now)
    }

    /// Records a label that an answer brought.
    ///
    /// A known label keeps its path.
    mutating func learn(_ label: PathLabel, over hop: PathHop, now: MeshInstant) {
        insert(label, over: hop, isProbed: false, life: configuration.usedLife, now: now)
    }

    private mutating func insert(
        _ label: PathLabel,
        over hop: PathHop,
        isProbed: Bool,
        life: Duration,
        now: MeshInstant
    ) {
        guard routes[label] == nil else { return }
        if count(over: hop) >= configuration.labelsPerLink { evict(over: hop) }
        if routes.count >= configuration.labelLimit, let fullest = counts.max(by: Self.isFuller)?.key {
            evict(over: fullest)
        }
        let expires = now.advanced(by: life)
        routes[label] = Route(next: hop, isProbed: isProbed, expires: expires)
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
        guard let hop = routes.removeValue(forKey: label)?.next else { return }
        let left = count(over: hop) - 1
        counts[hop] = left > 0 ? left : nil
    }

    // MARK: - Using

    /// Returns the path to a label for a payload of `user`.
    ///
    /// The use extends the lifetime of the label.
    mutating func use(_ label: PathLabel, by user: PathHop, now: MeshInstant) -> PathHop? {
        guard let next = routes[label]?.next, next != user else { return nil }
        routes[label]?.user = user
        routes[label]?.expires = now.advanced(by: configuration.usedLife)
        return next
    }

    // MARK: - Losing

    /// A label whose path has ended.
    struct Loss: Equatable, Sendable {
        let label: PathLabel
        /// The last sender to it, which must be notified.
        let user: PathHop?
    }

    /// Removes a link; returns the labels whose paths led over it, in order.
    mutating func linkDown(_ link: LinkID) -> [Loss] {
        for label in routes.keys where routes[label]?.user == .link(link) { routes[label]?.user = nil }
        let broken = routes.filter { $0.value.next == .link(link) }.keys.sorted()
        return broken.compactMap { lose($0, over: link) }
    }

    /// Handles a neighbour's message that it knows no path to a label; returns nil if the path did not lead over it.
    mutating func lose(_ label: PathLabel, over link: LinkID) -> Loss? {
        guard let route = routes[label], route.next == .link(link) else { return nil }
        remove(label)
        return Loss(label: label, user: route.user)
    }

    /// Removes expired labels.
    mutating func expire(now: MeshInstant) {
        guard nextExpiry <= now else { return }
        for (label, route) in routes where route.expires <= now { remove(label) }
        nextExpiry = routes.values.map(\.expires).min() ?? .distantFuture
    }
}

extension PathHop {
    /// The order for choices that must not depend on hash values.
    fileprivate var rank: UInt64 {
        switch self {
        case .here: 0
        case .link(let link): link.value
        }
    }
}
