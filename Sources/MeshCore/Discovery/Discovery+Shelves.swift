/// The links to nodes whose shelves this node reads after an absence.
extension Discovery {
    /// Dials a visible node that was not linked of late, and whose shelf has places that begin with one of these bytes.
    ///
    /// The link has a place like one to which a path leads, until ``endShelfLink(_:into:)``. A few such links are up at a
    /// time, so that paths still find places.
    /// - Parameter depth: The depth of a shelf that is not that of a node which has just started; such nodes are dialled if
    ///   there are no others.
    mutating func linkToShelf(
        _ bytes: Set<Int>,
        depth: UInt8,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) {
        let openCount = overlay.shelfCount(youngerThan: configuration.shelfLinkLife, at: now)
        guard openCount < configuration.shelfLinkLimit else { return }
        let candidates = unlinkedNodes().compactMap { node -> (node: NodeID, depth: UInt8)? in
            guard let endpoint = dialableEndpoint(of: node, now: now), isRested(endpoint, now: now),
                let shelf = interfaces.compactMap({ $0.neighbours[node]?.shelf }).max(by: { $0.depth < $1.depth }),
                shelf.depth > 0, shelf.firstBytes.contains(where: bytes.contains)
            else { return nil }
            return (node, shelf.depth)
        }
        let settled = candidates.filter { $0.depth >= depth }
        guard let chosen = (settled.isEmpty ? candidates : settled).randomElement(using: &random) else { return }
        linkDirectly(chosen.node, readsShelf: true, now: now, into: &effects)
    }

    /// Returns whether there was no link with a host of late.
    private func isRested(_ endpoint: Endpoint, now: MeshInstant) -> Bool {
        dialHistory.standing(of: endpoint) != .linked
            || dialHistory.lastUse(of: endpoint).advanced(by: configuration.shelfRest) <= now
    }

    /// Closes a link that was made to read a shelf.
    mutating func endShelfLink(_ id: LinkID, into effects: inout [DiscoveryEffect]) {
        guard overlay.links.contains(where: { $0.info.id == id && $0.readsShelf && !$0.isEnding }) else { return }
        overlay.markEnding(id)
        effects.append(.close(id))
    }
}
