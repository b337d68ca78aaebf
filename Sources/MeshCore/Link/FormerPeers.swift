/// The peers of the links that ended a short time ago.
///
/// Source: PROTOCOL §3.2.
struct FormerPeers: Sendable {
    private struct Entry: Sendable {
        let node: NodeID
        let host: HostAddress
        let end: MeshInstant
    }

    private var entries = Fifo<Entry>()
    private let life: Duration
    private let limit: Int

    init(_ configuration: LinkConfiguration) {
        (life, limit) = (configuration.formerPeerLife, configuration.formerPeerLimit)
    }

    /// The number of remembered links.
    var count: Int { entries.count }

    /// Records the end of a link.
    mutating func add(_ node: NodeID, at endpoint: Endpoint, now: MeshInstant) {
        while let first = entries.first, entries.count >= limit || first.end.advanced(by: life) <= now {
            entries.removeFirst()
        }
        entries.append(Entry(node: node, host: HostAddress(endpoint), end: now))
    }

    /// Returns whether there was a link with this node a short time ago.
    func contains(_ node: NodeID, now: MeshInstant) -> Bool {
        entries.elements.contains { $0.node == node && $0.end.advanced(by: life) > now }
    }

    /// Returns whether there was a link with this host a short time ago.
    func contains(_ endpoint: Endpoint, now: MeshInstant) -> Bool {
        let host = HostAddress(endpoint)
        return entries.elements.contains { $0.host == host && $0.end.advanced(by: life) > now }
    }
}
