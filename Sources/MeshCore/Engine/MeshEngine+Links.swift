/// Links as the other machines see them.
extension MeshEngine {
    mutating func linkUp(_ info: LinkInfo, now: MeshInstant, into effects: inout [MeshEffect]) {
        counters.linksUp += 1
        effects.append(.linkUp(info.id, node: info.node, at: info.endpoint))
        links.table.setStatus(status, on: info.id, now: now)
        noteLink(info, now: now)
        router.machine.linkUp(
            info.id,
            node: info.node,
            dialledHere: info.dialledHere,
            segment: discovery.machine.segment(of: info.endpoint),
            crowdFactor: crowdFactor(around: info),
            // Both ends see the same two node ids, unless one has just changed. Links that are not spare join all nodes,
            // since the bits are mixed.
            isSpare: isSpare(nodeID, info.node),
            now: now,
            over: &links
        )
        paths.linkUp(info.id)
        send(paths.pushTrails.take(for: info.node), over: info, now: now)
    }

    private func isSpare(_ own: NodeID, _ other: NodeID) -> Bool {
        var mixer = SplitMix64(seed: own.value ^ other.value)
        return mixer.next() & 1 == 1
    }

    /// Passes a link that came up or moved on to discovery, and to all machines how crowded its segment is.
    mutating func noteLink(_ info: LinkInfo, now: MeshInstant) {
        let leastUseful = links.table.unusedLinks(now: now)
        discovery.machine.linkUp(info, leastUseful: leastUseful, now: now, into: &discoveryEffects)
        router.machine.setSegment(discovery.machine.segment(of: info.endpoint), of: info.id)
        noteCrowd(around: info)
    }

    // MARK: - Crowds

    /// Passes on what discovery says of the number of links and nodes, if it may have changed.
    mutating func noteDiscovery(now: MeshInstant) {
        guard discovery.isChanged else { return }
        links.table.acceptLimit = discovery.machine.inboundLimit
        noteSegments(now: now)
        noteCrowds()
    }

    /// Passes the crowd factors of the segments on, if they have changed.
    private mutating func noteCrowds() {
        let factors = discovery.machine.crowdFactors
        guard factors != crowdFactors else { return }
        crowdFactors = factors
        statuses.crowdFactor = factors.values.max() ?? 1
        for info in links.table.links { noteCrowd(around: info) }
    }

    private mutating func noteCrowd(around link: LinkInfo) {
        let factor = crowdFactor(around: link)
        links.table.setCrowdFactor(factor, of: link.id)
        router.machine.setCrowdFactor(factor, of: link.id)
    }

    /// Returns the crowd factor of a link's segment; 1 for a peer beyond it.
    private func crowdFactor(around link: LinkInfo) -> Int {
        discovery.machine.segment(of: link.endpoint).flatMap { crowdFactors[$0.index] } ?? 1
    }

    /// The present status for neighbours.
    var status: LinkStatus {
        let load = UInt8(
            clamping: router.machine.store.foreign.charge.multipliedReportingOverflow(by: 255).partialValue
                / storeByteLimit
        )
        return LinkStatus(store: router.machine.summary, load: load)
    }
}
