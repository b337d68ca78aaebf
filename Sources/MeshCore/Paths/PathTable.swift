/// The direction of a label's end from this node.
enum PathHop: Hashable, Sendable {
    /// The end is this node.
    case here
    /// The end is reachable over this link.
    case link(LinkID)
}

/// The known labels and the path to each: the link on which it was first received.
///
/// Invariant: a route leads over a link that is up, or to this node. At most `labelsPerLink` labels lead over one link,
/// and at most `labelLimit` labels are known. Each is in one of the two queues of its hop, once. An unused label makes
/// room before used ones, the oldest first, so that every operation takes the same time however many there are.
/// Source: PROTOCOL §5.1.
struct PathTable: Sendable {
    /// The source of a label.
    enum Origin: Sendable {
        /// A post left it on its way.
        case trail
        /// A search for a path brought it.
        case probe
        /// An answer brought it, as the other label of a path.
        case answer
        /// An answer that is an envelope brought it, as the other label of a way.
        case carriedAnswer

        /// Whether a node has answered under it.
        var isAnswer: Bool { self == .answer || self == .carriedAnswer }

        /// Whether the two ends have, or look for, a path for more than envelopes.
        var isOfPath: Bool { self == .probe || self == .answer }
    }

    private struct Route: Sendable {
        let next: PathHop
        let origin: Origin
        /// The last sender to the label, which is notified when the label becomes unreachable.
        var user: PathHop?
        var expires: MeshInstant
        /// Whether the neighbour has said that it knows no path to it.
        var isLost = false
    }

    /// A label and the time at which its route is looked at again.
    private struct Place: Sendable {
        let label: PathLabel
        let due: MeshInstant
    }

    /// The labels of one hop.
    private struct Queues: Sendable {
        var unused = Fifo<Place>()
        var used = Fifo<Place>()

        var count: Int { unused.count + used.count }

        var due: MeshInstant { min(unused.first?.due ?? .distantFuture, used.first?.due ?? .distantFuture) }
    }

    private let configuration: PathConfiguration
    private var routes: [PathLabel: Route] = [:]
    private var queues: [PathHop: Queues] = [:]
    /// The number of paths of this node.
    private(set) var ownPathCount = 0

    init(configuration: PathConfiguration) {
        self.configuration = configuration
    }

    /// The number of known labels.
    var count: Int { routes.count }

    /// The time at which a label may expire.
    var nextExpiry: MeshInstant { queues.values.map(\.due).min() ?? .distantFuture }

    /// The number of paths that pass through this node or end at it.
    ///
    /// Each has one label that an answer brought.
    var openCount: Int { routes.values.count { $0.origin == .answer && !$0.isLost } }

    /// Returns the number of labels with a path over this hop.
    func count(over hop: PathHop) -> Int { queues[hop]?.count ?? 0 }

    /// Returns the path to a label; nil if none is known.
    func next(to label: PathLabel) -> PathHop? {
        guard let route = routes[label], !route.isLost else { return nil }
        return route.next
    }

    // MARK: - Learning

    /// Records a label with the hop that brought it.
    ///
    /// A known label keeps its path, also once that is lost.
    mutating func note(_ label: PathLabel, from origin: Origin, over hop: PathHop, now: MeshInstant) {
        guard routes[label] == nil else { return }
        if count(over: hop) >= configuration.labelsPerLink { evict(over: hop) }
        if routes.count >= configuration.labelLimit, let fullest = queues.max(by: Self.isFuller)?.key {
            evict(over: fullest)
        }
        let life = origin.isAnswer ? configuration.usedLife : configuration.unusedLife
        let expires = now.advanced(by: life)
        routes[label] = Route(next: hop, origin: origin, expires: expires)
        if hop == .here, origin.isOfPath { ownPathCount += 1 }
        let place = Place(label: label, due: expires)
        if origin.isAnswer {
            queues[hop, default: Queues()].used.append(place)
        } else {
            queues[hop, default: Queues()].unused.append(place)
        }
    }

    private static func isFuller(_ left: (key: PathHop, value: Queues), _ right: (key: PathHop, value: Queues)) -> Bool
    {
        (left.value.count, right.key.rank) < (right.value.count, left.key.rank)
    }

    /// Forgets a label of a hop: the oldest that nobody has sent to, else the one that has been used for longest.
    private mutating func evict(over hop: PathHop) {
        while let place = queues[hop]?.unused.first {
            queues[hop]?.unused.removeFirst()
            guard let route = routes[place.label], !route.isLost, route.expires > place.due else {
                return forget(place.label)
            }
            queues[hop]?.used.append(Place(label: place.label, due: route.expires))
        }
        guard let place = queues[hop]?.used.first else { return }
        queues[hop]?.used.removeFirst()
        forget(place.label)
    }

    /// Forgets a label that has left its queue.
    private mutating func forget(_ label: PathLabel) {
        guard let route = routes.removeValue(forKey: label) else { return }
        if route.next == .here, route.origin.isOfPath { ownPathCount -= 1 }
        if count(over: route.next) == 0 { queues[route.next] = nil }
    }

    /// Forgets a label of this node.
    mutating func forgetOwn(_ label: PathLabel) {
        guard routes[label]?.next == .here, var own = queues[.here] else { return }
        own.unused.removeAll { $0.label == label }
        own.used.removeAll { $0.label == label }
        queues[.here] = own
        forget(label)
    }

    // MARK: - Using

    /// Returns the path to a label for a payload of `user`.
    ///
    /// The use extends the lifetime of the label.
    mutating func use(_ label: PathLabel, by user: PathHop, now: MeshInstant) -> PathHop? {
        guard let next = next(to: label), next != user else { return nil }
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
        guard let places = queues.removeValue(forKey: .link(link)) else { return [] }
        let labels = (places.unused.elements + places.used.elements).map(\.label).sorted()
        return labels.compactMap { label in
            guard let route = routes.removeValue(forKey: label), !route.isLost else { return nil }
            return Loss(label: label, user: route.user)
        }
    }

    /// Handles a neighbour's message that it knows no path to a label; returns nil if the path did not lead over it.
    mutating func lose(_ label: PathLabel, over link: LinkID) -> Loss? {
        guard next(to: label) == .link(link) else { return nil }
        routes[label]?.isLost = true
        return Loss(label: label, user: routes[label]?.user)
    }

    /// Removes expired labels.
    mutating func expire(now: MeshInstant) {
        for hop in Array(queues.keys) {
            while let place = queues[hop]?.unused.first, place.due <= now {
                queues[hop]?.unused.removeFirst()
                look(at: place.label, of: hop, now: now)
            }
            while let place = queues[hop]?.used.first, place.due <= now {
                queues[hop]?.used.removeFirst()
                look(at: place.label, of: hop, now: now)
            }
        }
    }

    /// Forgets a label that has left its queue, or queues it again if it has been used since.
    private mutating func look(at label: PathLabel, of hop: PathHop, now: MeshInstant) {
        guard let route = routes[label], route.expires > now else { return forget(label) }
        queues[hop]?.used.append(Place(label: label, due: route.expires))
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
