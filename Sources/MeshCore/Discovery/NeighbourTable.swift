/// The nodes heard on one interface, by node id and by endpoint.
///
/// Invariant: no two entries have the same node id or the same endpoint. The order of `entries` follows from what was
/// put in and taken out, never from hash values, so that a seeded run repeats itself.
struct NeighbourTable: Sendable {
    private(set) var entries: [Neighbour] = []
    private var indexByNode: [NodeID: Int] = [:]
    private var indexByEndpoint: [Endpoint: Int] = [:]

    /// How many nodes are in the table.
    var count: Int { entries.count }

    /// The entry of a node.
    subscript(_ node: NodeID) -> Neighbour? {
        indexByNode[node].map { entries[$0] }
    }

    /// The entry at an endpoint.
    subscript(_ endpoint: Endpoint) -> Neighbour? {
        indexByEndpoint[endpoint].map { entries[$0] }
    }

    /// Puts an entry in, in place of any with the same node id or the same endpoint.
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

    /// Changes a node's entry, if there is one; `change` leaves node id and endpoint as they are.
    mutating func update(_ node: NodeID, _ change: (inout Neighbour) -> Void) {
        guard let index = indexByNode[node] else { return }
        change(&entries[index])
    }

    /// Takes a node's entry out, if there is one.
    mutating func remove(_ node: NodeID) {
        guard let index = indexByNode.removeValue(forKey: node) else { return }
        indexByEndpoint[entries[index].endpoint] = nil
        guard let last = entries.popLast(), index < entries.count else { return }
        entries[index] = last
        indexByNode[last.node] = index
        indexByEndpoint[last.endpoint] = index
    }

    /// Gives a node's entry, if there is one, another node id that has none.
    mutating func rename(_ node: NodeID, to newNode: NodeID) {
        guard var entry = self[node] else { return }
        remove(node)
        entry.node = newNode
        put(entry)
    }

    /// Takes out what has expired; answers when the next expires.
    mutating func expire(now: MeshInstant) -> MeshInstant {
        for node in entries.filter({ $0.expires <= now }).map(\.node) { remove(node) }
        return entries.map(\.expires).min() ?? .distantFuture
    }
}
