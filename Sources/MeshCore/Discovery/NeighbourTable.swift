/// The nodes discovered on one interface, by node id and by endpoint.
///
/// Anybody can invent nodes, so the table counts those that had no link: by address, and all link-local ones together.
/// Invariant: no two entries have the same node id or the same endpoint. The order of `entries` follows from the
/// insertions and removals, never from hash values, so that a seeded run repeats itself.
struct NeighbourTable: Sendable {
    private(set) var entries: [Neighbour] = []
    private var indexByNode: [NodeID: Int] = [:]
    private var indexByEndpoint: [Endpoint: Int] = [:]
    /// The nodes that had no link, by address.
    private var unlinked: [IPAddress: [NodeID]] = [:]
    /// The number of nodes with a link-local address that had no link.
    private(set) var linkLocalUnlinkedCount = 0

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

    /// Returns the nodes at an address that had no link.
    func unlinkedNodes(at address: IPAddress) -> [NodeID] { unlinked[address] ?? [] }

    /// Inserts an entry and replaces any with the same node id or the same endpoint.
    ///
    /// At the endpoint of a link it is the same node under another id.
    mutating func put(_ neighbour: Neighbour) {
        var neighbour = neighbour
        if let occupant = self[neighbour.endpoint], occupant.node != neighbour.node {
            neighbour.wasLinked = neighbour.wasLinked || occupant.wasLinked
            remove(occupant.node)
        }
        guard let index = indexByNode[neighbour.node] else {
            indexByNode[neighbour.node] = entries.count
            indexByEndpoint[neighbour.endpoint] = entries.count
            entries.append(neighbour)
            return count(neighbour)
        }
        uncount(entries[index])
        if entries[index].endpoint != neighbour.endpoint {
            indexByEndpoint[entries[index].endpoint] = nil
            indexByEndpoint[neighbour.endpoint] = index
        }
        entries[index] = neighbour
        count(neighbour)
    }

    /// Records that there is a link with a node.
    mutating func noteLink(with node: NodeID) {
        guard let index = indexByNode[node], !entries[index].wasLinked else { return }
        uncount(entries[index])
        entries[index].wasLinked = true
    }

    /// Removes a node's entry, if there is one.
    mutating func remove(_ node: NodeID) {
        guard let index = indexByNode.removeValue(forKey: node) else { return }
        uncount(entries[index])
        indexByEndpoint[entries[index].endpoint] = nil
        guard let last = entries.popLast(), index < entries.count else { return }
        entries[index] = last
        indexByNode[last.node] = index
        indexByEndpoint[last.endpoint] = index
    }

    /// Removes the entries for which `end` has come, and returns them.
    mutating func expire(now: MeshInstant, end: (Neighbour) -> MeshInstant) -> [Neighbour] {
        let expired = entries.filter { end($0) <= now }
        for entry in expired { remove(entry.node) }
        return expired
    }

    private mutating func count(_ neighbour: Neighbour) {
        guard !neighbour.wasLinked else { return }
        let address = neighbour.endpoint.address
        unlinked[address, default: []].append(neighbour.node)
        if address.isLinkLocal { linkLocalUnlinkedCount += 1 }
    }

    private mutating func uncount(_ neighbour: Neighbour) {
        let address = neighbour.endpoint.address
        guard !neighbour.wasLinked, let index = unlinked[address]?.firstIndex(of: neighbour.node) else { return }
        unlinked[address]?.remove(at: index)
        if unlinked[address]?.isEmpty == true { unlinked[address] = nil }
        if address.isLinkLocal { linkLocalUnlinkedCount -= 1 }
    }
}
