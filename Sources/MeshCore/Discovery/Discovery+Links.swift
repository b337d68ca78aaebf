extension Discovery {
    /// Adds an address to which a link is always wanted.
    package mutating func addStaticPeer(
        _ endpoint: Endpoint,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) {
        guard !hasLeft, overlay.staticPeers.count < configuration.staticPeerLimit,
            !overlay.staticPeers.contains(where: { $0.endpoint == endpoint })
        else { return }
        let link = overlay.links.first { $0.info.endpoint == endpoint }
        overlay.staticPeers.append(Overlay.StaticPeer(endpoint: endpoint, link: link?.info.id))
        fillAgain(at: now)
        fillIfDue(now: now, into: &effects)
    }

    /// Removes an address whose peer has moved.
    ///
    /// It is no longer dialled.
    package mutating func removeStaticPeer(_ endpoint: Endpoint) {
        overlay.staticPeers.removeAll { $0.endpoint == endpoint }
    }

    /// Handles a link that has come up.
    ///
    /// A second call with the same number reports that its path has moved.
    /// - Parameter leastUseful: All links, those first that a node misses least.
    package mutating func linkUp(
        _ info: LinkInfo,
        leastUseful: [LinkID],
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) {
        guard !hasLeft else { return }
        let isNew = !overlay.links.contains { $0.info.id == info.id }
        dialHistory.noteLink(at: info.endpoint, now: now)
        let dial = overlay.linkUp(info)
        guard isNew else { return }
        let isNewHere = interfaces.allSatisfy { $0.neighbours[info.node]?.wasLinked != true }
        for index in interfaces.indices where interfaces[index].id.index == info.endpoint.interface.index {
            if isNewHere { noteChange(on: index, now: now) }
            interfaces[index].searchEnd = nil
        }
        noteDiscovery(info, wasWanted: dial == nil || dial?.purpose == .fill, now: now)
        if dial?.purpose == .rotation, overlay.dialledCount > configuration.linkTarget,
            let old = replaceableLink(except: info.id, among: leastUseful)
        {
            overlay.markEnding(old)
            effects.append(.close(old))
        }
        if dial?.leadsPath == true { endPathLink(among: leastUseful, now: now, into: &effects) }
    }

    /// Ends the least useful path link, if there is one too many.
    private mutating func endPathLink(among order: [LinkID], now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard overlay.links.count(where: { $0.leadsPath && !$0.isEnding }) > configuration.pathLinkLimit else { return }
        let age = configuration.youngestPathLink
        guard let old = overlay.replaceablePath(among: order, aged: age, at: now) else { return }
        overlay.markEnding(old)
        effects.append(.close(old))
    }

    /// Records that a neighbour is linked.
    ///
    /// Also records the time since its first beacon, if that time is meaningful for discovery.
    private mutating func noteDiscovery(_ info: LinkInfo, wasWanted: Bool, now: MeshInstant) {
        let known = interfaces.compactMap { $0.neighbours[info.node] }
        // Of two links from crossed dials, the other one is closed.
        let twins = overlay.links.filter { $0.info.node == info.node && $0.info.id != info.id }
        if let time = twins.compactMap(\.discoveryTime).first {
            overlay.note(time, of: info.id)
        } else if wasWanted, !known.contains(where: \.wasLinked), let first = known.map(\.firstSeen).min() {
            overlay.note(first.duration(to: now), of: info.id)
        }
        for index in interfaces.indices { interfaces[index].neighbours.noteLink(with: info.node) }
    }

    /// Handles a link that has ended.
    ///
    /// Looks for another link, and dials a static peer again.
    ///
    /// The next dial has no pause only if this node's own interface went down: the peer did not fail.
    package mutating func linkDown(
        _ id: LinkID,
        node: NodeID,
        reason: LinkCloseReason = .timedOut,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) {
        guard !hasLeft, let index = overlay.links.firstIndex(where: { $0.info.id == id }) else { return }
        let pause = random.jittered(configuration.firstBackoff, by: configuration.backoffJitter)
        let again = reason == .interfaceLost ? now : now.advanced(by: pause)
        for peer in overlay.staticPeers.indices where overlay.staticPeers[peer].link == id {
            overlay.staticPeers[peer].dialNotBefore = again
        }
        let endpoint = overlay.links[index].info.endpoint
        let segment = endpoint.interface.index
        _ = overlay.linkDown(id)
        let isLost = reason == .timedOut || reason == .interfaceLost
        if isLost, !overlay.links.contains(where: { $0.info.endpoint.interface.index == segment }) {
            search(onSegment: segment, now: now)
        }
        dialHistory.noteLinkEnd(at: endpoint, again: again, now: now)
        fillAgain(at: now)
        fillIfDue(now: now, into: &effects)
    }

    /// Handles a failed dial.
    ///
    /// Tries another endpoint of the node, or another node.
    package mutating func dialFailed(
        _ node: NodeID?,
        _ endpoint: Endpoint,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) {
        guard !hasLeft else { return }
        noteFailure(of: endpoint, now: now)
        fillIfDue(now: now, into: &effects)
    }

    /// Handles an answer that makes no link, because it came late or is another node's.
    ///
    /// The host is there, so it does not rest any more, but its pauses grow with each further failure.
    package mutating func answered(_ endpoint: Endpoint, now: MeshInstant) {
        guard !hasLeft, dialHistory.standing(of: endpoint) == .unknown else { return }
        let pause = max(backoff(after: dialHistory.failureCount(at: endpoint)), configuration.dialSpacing)
        dialHistory.noteAnswer(at: endpoint, again: now.advanced(by: pause))
        fillAgain(at: now.advanced(by: pause))
    }

    /// Ends a dial and delays the next dial to its host, longer after each failure.
    ///
    /// A host that never answered rests after the second one, for its address may be that of a victim, to which
    /// somebody draws dials.
    mutating func noteFailure(of endpoint: Endpoint, now: MeshInstant) {
        overlay.dialEnded(at: endpoint)
        let failureCount = dialHistory.failureCount(at: endpoint) + 1
        let standing = dialHistory.standing(of: endpoint)
        let isRepeated = failureCount >= configuration.restFailureCount
        dialHistory.noteFailure(
            at: endpoint,
            pause: backoff(after: standing == .unknown && isRepeated ? .max : failureCount),
            isStrict: standing != .linked && isRepeated,
            now: now
        )
        for peer in overlay.staticPeers.indices where overlay.staticPeers[peer].endpoint == endpoint {
            overlay.staticPeers[peer].failureCount += 1
            let pause = backoff(after: overlay.staticPeers[peer].failureCount)
            overlay.staticPeers[peer].dialNotBefore = now.advanced(by: pause)
        }
        fillAgain(at: now)
    }

    private mutating func backoff(after failureCount: Int) -> Duration {
        let doublings = min(max(1, failureCount) - 1, 16)
        let pause = min(configuration.firstBackoff * (1 << doublings), configuration.longestBackoff)
        return random.jittered(pause, by: configuration.backoffJitter)
    }
}
