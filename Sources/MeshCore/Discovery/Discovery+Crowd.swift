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
}
