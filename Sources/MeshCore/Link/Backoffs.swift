/// Which nodes and endpoints are not to be dialled for a while.
struct Backoffs {
    private struct Entry {
        var node: NodeID?
        var endpoint: Endpoint
        var failureCount: Int
        var until: MeshInstant
    }

    private let configuration: LinkConfiguration
    private var entries: [Entry] = []

    init(configuration: LinkConfiguration) {
        self.configuration = configuration
    }

    /// Units: endpoints remembered.
    var count: Int { entries.count }

    /// Whether a dial must wait.
    func holds(_ node: NodeID?, at endpoint: Endpoint, now: MeshInstant) -> Bool {
        entries.contains { entry in
            now < entry.until && (entry.endpoint == endpoint || entry.node != nil && entry.node == node)
        }
    }

    /// Leaves the endpoint alone for a second, or twice as long as after the failure before.
    mutating func add(_ node: NodeID?, at endpoint: Endpoint, random: inout MeshRandom, now: MeshInstant) {
        var failureCount = 0
        if let index = entries.firstIndex(where: { $0.endpoint == endpoint && $0.node == node }) {
            failureCount = entries.remove(at: index).failureCount
        }
        if entries.count >= configuration.maximumBackoffCount { entries.removeFirst() }
        let wait = min(configuration.backoff * (1 << min(failureCount, 16)), configuration.maximumBackoff)
        entries.append(
            Entry(
                node: node,
                endpoint: endpoint,
                failureCount: failureCount + 1,
                until: now.advanced(by: random.jittered(wait, by: configuration.backoffJitter))
            )
        )
    }

    /// Forgets the failures of a node that a link came up with.
    mutating func remove(_ node: NodeID, at endpoint: Endpoint) {
        entries.removeAll { $0.endpoint == endpoint || $0.node == node }
    }
}
