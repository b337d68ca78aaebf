extension Discovery {
    /// Returns whether an address reaches this node without a router, or came by a socket that is no interface's.
    package func isOnLink(_ source: Endpoint) -> Bool {
        source.interface.isRouted
            || interfaces.contains { $0.id == source.interface && $0.isOnLink(source.address) }
    }

    /// Returns the present id of a link's other node: that heard from the link's endpoint, else that of the handshake.
    func node(of link: LinkInfo) -> NodeID {
        let interface = interfaces.first { $0.id == link.endpoint.interface }
        return interface?.neighbours[link.endpoint]?.node ?? link.node
    }

    /// Returns a link's description with the present id of its other node.
    package func current(_ link: LinkInfo) -> LinkInfo {
        var link = link
        link.node = node(of: link)
        return link
    }

    /// The nodes to which a link is up.
    var linkedNodes: Set<NodeID> { Set(overlay.links.map { node(of: $0.info) }) }

    /// The nodes to which a link is up or dialled.
    var engagedNodes: Set<NodeID> { linkedNodes.union(overlay.dials.compactMap(\.node)) }

    /// Returns whether a link to a node is up or dialled.
    func isEngaged(_ node: NodeID) -> Bool { engagedNodes.contains(node) }

    /// Returns whether a link to a node is useful, independent of whether it can be dialled.
    private func isWanted(_ node: NodeID, now: MeshInstant) -> Bool {
        guard !isEngaged(node) else { return false }
        let dialCount = overlay.dials.count { !$0.leadsPath }
        if overlay.dialledCount + dialCount < configuration.linkTarget { return true }
        if linksToAll(now: now) { return true }
        return interfaces.contains { interface in
            interface.neighbours[node] != nil
                && engagedCount(onSegment: interface.id.index) < configuration.linksPerSegment
        }
    }

    /// Returns whether so few nodes are visible that all of them are linked.
    func linksToAll(now: MeshInstant) -> Bool {
        started.duration(to: now) >= configuration.settleTime && visibleCount <= configuration.fullMeshLimit
    }

    /// The estimated number of other nodes on all segments.
    ///
    /// The two address families of an interface are one segment.
    var visibleCount: Int {
        var counts: [UInt32: Int] = [:]
        for interface in interfaces {
            counts[interface.id.index] = max(counts[interface.id.index] ?? 0, interface.visibleCount)
        }
        return counts.values.reduce(0, +)
    }

    /// Returns the number of links and dials to nodes of one segment.
    ///
    /// The two address families of an interface are one segment.
    func engagedCount(onSegment index: UInt32) -> Int {
        let segment = interfaces.filter { $0.id.index == index }
        func isThere(_ node: NodeID?, _ endpoint: Endpoint) -> Bool {
            endpoint.interface.index == index || segment.contains { $0.neighbours[node ?? nodeID] != nil }
        }
        return overlay.links.count { !$0.isEnding && isThere(self.node(of: $0.info), $0.info.endpoint) }
            + overlay.dials.count { isThere($0.node, $0.endpoint) }
    }

    /// Returns whether a node is visible at an endpoint, or has a link.
    func sees(_ node: NodeID, at endpoint: Endpoint) -> Bool {
        isEngaged(node) || interfaces.contains { $0.neighbours[node]?.endpoint == endpoint }
    }

    /// Returns the endpoint at which to dial a node: the one with the fewest failures, and among these the one
    /// discovered first; nil if there is none at this time.
    func dialableEndpoint(of node: NodeID, now: MeshInstant) -> Endpoint? {
        let entries = interfaces.compactMap { $0.neighbours[node] }
        let dialable = entries.filter { dialHistory.earliestDial(at: $0.endpoint) <= now }
        return dialable.map { (dialHistory.failureCount(at: $0.endpoint), $0.firstSeen, $0.endpoint) }
            .min { ($0.0, $0.1) < ($1.0, $1.1) }?.2
    }

    /// Dials a node that was just discovered if a link to it is wanted; returns true if it dialled.
    mutating func dialIfWanted(_ node: NodeID, now: MeshInstant, into effects: inout [DiscoveryEffect]) -> Bool {
        guard isWanted(node, now: now) else { return false }
        guard let endpoint = dialableEndpoint(of: node, now: now) else {
            fillAgain(at: earliestDial(of: node))
            return false
        }
        return dial(node, at: endpoint, purpose: .fill, now: now, into: &effects)
    }

    /// Dials an endpoint unless the budget is used up.
    ///
    /// In that case the dial is tried again when the budget allows it.
    mutating func dial(
        _ node: NodeID?,
        at endpoint: Endpoint,
        purpose: Overlay.Purpose,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) -> Bool {
        guard dialBudget.take(now: now) else {
            fillAgain(at: dialBudget.nextToken)
            return false
        }
        let expires = now.advanced(by: configuration.dialTimeout)
        overlay.dialled(Overlay.Dial(node: node, endpoint: endpoint, purpose: purpose, expires: expires))
        dialHistory.noteDial(at: endpoint, spacing: configuration.dialSpacing, now: now)
        effects.append(.dial(node, endpoint))
        return true
    }

    /// Schedules the search for missing links at this time at the latest.
    mutating func fillAgain(at time: MeshInstant) { nextFill = min(nextFill, time) }

    /// Searches for missing links if it is due.
    mutating func fillIfDue(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard now >= nextFill, !hasLeft else { return }
        fill(now: now, into: &effects)
    }

    /// Dials static peers without a link, and neighbours in random order, while links are missing.
    mutating func fill(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        let settled = started.advanced(by: configuration.settleTime)
        nextFill = settled > now ? settled : .distantFuture
        for peer in overlay.staticPeers where peer.link == nil {
            guard !overlay.dials.contains(where: { $0.endpoint == peer.endpoint }) else { continue }
            if peer.dialNotBefore > now {
                fillAgain(at: peer.dialNotBefore)
            } else {
                _ = dial(nil, at: peer.endpoint, purpose: .staticPeer, now: now, into: &effects)
            }
        }
        for node in unlinkedNodes().shuffled(using: &random) {
            _ = dialIfWanted(node, now: now, into: &effects)
        }
    }

    /// Returns the discovered nodes without a link to this one, each once, in an order that a seed repeats.
    func unlinkedNodes() -> [NodeID] {
        Set(interfaces.flatMap { $0.neighbours.entries.map(\.node) }).subtracting(engagedNodes).sorted()
    }

    private func earliestDial(of node: NodeID) -> MeshInstant {
        let entries = interfaces.compactMap { $0.neighbours[node] }
        return entries.map { dialHistory.earliestDial(at: $0.endpoint) }.min() ?? .distantFuture
    }

    /// Dials a node to which a path or a trail leads, so that the path can become direct.
    ///
    /// Does nothing if the node is not a neighbour, is already linked, or there is no room.
    ///
    /// - Parameters:
    ///   - heard: An endpoint at which it was heard, if its beacons were not.
    ///   - readsShelf: Whether the link is made to read the shelf of the node.
    /// - Returns: Whether a link to the node is coming.
    @discardableResult
    package mutating func linkDirectly(
        _ node: NodeID,
        at heard: Endpoint? = nil,
        readsShelf: Bool = false,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) -> Bool {
        guard !hasLeft, !isEngaged(node) else { return overlay.dials.contains { $0.node == node } }
        let mayDial = heard.map { dialHistory.earliestDial(at: $0) <= now } ?? false
        // One more than the limit ends another.
        guard overlay.pathCount <= configuration.pathLinkLimit,
            overlay.engagedCount < configuration.maximumLinkCount - configuration.linkTarget,
            heard == nil || overlay.dials.count(where: { $0.purpose == .path }) < configuration.trailDialLimit,
            let endpoint = dialableEndpoint(of: node, now: now) ?? (mayDial ? heard : nil)
        else { return false }
        return dial(node, at: endpoint, purpose: readsShelf ? .shelf : .path, now: now, into: &effects)
    }
}
