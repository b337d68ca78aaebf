extension Discovery {
    /// The crowd factors of the segments, by interface: visible nodes in units of `crowdSize`, at least 1.
    ///
    /// All hosts of a segment share its time on the air. What a node does in case envelopes were lost therefore becomes
    /// rarer by this factor, so that all hosts together do about as much of it as those of a small segment. The two
    /// address families of an interface are one segment.
    ///
    /// Source: PROTOCOL §4 discovery.
    var crowdFactors: [UInt32: Int] {
        interfaces.reduce(into: [:]) { factors, interface in
            let factor = min(interface.visibleCount / configuration.crowdSize, configuration.largestCrowdFactor)
            factors[interface.id.index] = max(1, factor, factors[interface.id.index] ?? 1)
        }
    }

    /// The segments, one for each family of an interface, and whether posts are pushed there because many see them.
    var segments: [InterfaceID: Bool] {
        interfaces.reduce(into: [:]) { segments, interface in
            segments[interface.id] = interface.visibleCount >= configuration.pushNeighbourCount
        }
    }

    /// Returns the port of the own unicast socket on an interface; nil if there is no such interface.
    func unicastPort(on interface: InterfaceID) -> UInt16? { interfaces.first { $0.id == interface }?.unicastPort }

    /// Returns the time at which a beacon of another node last came by multicast on an interface.
    func heardAt(on interface: InterfaceID) -> MeshInstant? { interfaces.first { $0.id == interface }?.heardAt }

    /// Returns the segment of an endpoint; nil if none of the own segments has it.
    func segment(of endpoint: Endpoint) -> InterfaceID? {
        let isOwn = interfaces.contains { $0.id == endpoint.interface && $0.isOnLink(endpoint.address) }
        return isOwn ? endpoint.interface : nil
    }

    /// Returns whether a node id is, or was a moment ago, that of this node.
    func isOwn(_ node: NodeID) -> Bool { node == nodeID || node == formerNodeID }
}
