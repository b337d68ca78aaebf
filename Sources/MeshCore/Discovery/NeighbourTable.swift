/// The nodes discovered on one interface, by node id and by endpoint.
///
/// Invariant: no two entries have the same node id or the same endpoint. The order of `entries` follows from the
/// insertions and removals, never from hash values, so that a seeded run repeats itself.
struct NeighbourTable: Sendable {
    private(set) var entries: [Neighbour] = []
    private var indexByNode: [NodeID: Int] = [:]
    private var indexByEndpoint: [Endpoint: Int] = [:]

    /// The number of nodes in the table.
    var count: Int { entries.count }

    /// Returns the entry of a node.
    subscript(_ node: NodeID) -> Neighbour? {
        indexByNode[node].map { entries[$0] }
    }

    /// Returns the entry at an endpoint.
    subscript(_ endpoint: Endpoint) -> Neighbour? {
        indexByEndpoint[endpoint].map { entries[$0] }
    }

    /// Inserts an entry and replaces any with the same node id or the same endpoint.
    mutating func put(_ neighbour: Neighbour) {
        if let occupant = self[neighbour.endpoint], occupant.node != neighbour.node { remove(occupant.node) }
        guard let index = indexByNode[neighbour.node] else {
            indexByNode[neighbour.node] = entries.count
            indexByEndpoint[neighbour.endpoint] = entries.count
            entries.append(neighbour)
            return
        }
        if entries[index].endpoint != neighbour.endpoint {
            indexByEndpoint[entries[index].endpoint] = nil
            indexByEndpoint[neighbour.endpoint] = index
        }
        entries[index] = neighbour
    }

    /// Changes a node's entry, if there is one; `change` must keep node id and endpoint.
    mutating func update(_ node: NodeID, _ change: (inout Neighbour) -> Void) {
        guard let index = indexByNode[node] else { return }
        change(&entries[index])
    }

    /// Removes a node's entry, if there is one.
    mutating func remove(_ node: NodeID) {
        guard let index = indexByNode.removeValue(forKey: node) else { return }
        indexByEndpoint[entries[index].endpoint] = nil
        guard let last = entries.popLast(), index < entries.count else { return }
        entries[index] = last
        indexByNode[last.node] = index
        indexByEndpoint[last.endpoint] = index
    }

    /// Removes expired entries; returns the time at which the next entry expires.
    mutating func expire(now: MeshInstant) -> MeshInstant {
        for node in entries.filter({ $0.expires <= now }).map(\.node) { remove(node) }
        return entries.map(\.expires).min() ?? .distantFuture
    }
}
