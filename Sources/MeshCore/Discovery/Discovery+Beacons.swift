extension Discovery {
    /// The result of a beacon for its sender's entry.
    private enum BeaconOutcome {
        /// The beacon needs no further processing.
        case ignored
        /// The sender is in the table.
        case taken
    }

    /// Handles a beacon; `from.port` is ignored, because beacons contain the port of the unicast socket themselves.
    package mutating func receiveBeacon(
        _ bytes: [UInt8],
        from: Endpoint,
        multicast: Bool,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) {
        guard !hasLeft else { return }
        guard let index = interfaces.firstIndex(where: { $0.id == from.interface }) else {
            return effects.append(.dropped(.noSuchInterface))
        }
        guard interfaces[index].isOnLink(from.address) else { return effects.append(.dropped(.offLink)) }
        let opened = Beacon(
            opening: bytes,
            from: from.address,
            by: cryptography,
            otherTags: &interfaces[index].otherTags,
            now: now
        )
        guard let beacon = opened else {
            if let probe = Probe(decoding: bytes), probe.answerer == nil { endRest(on: index, now: now) }
            return effects.append(.dropped(.foreignBeacon))
        }
        guard !isOwn(beacon.node) else { return }
        if multicast { interfaces[index].heardAt = now }
        let source = Endpoint(interface: from.interface, address: from.address, port: beacon.unicastPort)
        guard note(beacon, from: source, on: index, now: now, into: &effects) == .taken else { return }
        // A node that asks is there, and so is one that answers a node that has lost all links.
        if beacon.flags.contains(.solicit) || isSearching(on: index, now: now) {
            dialHistory.endPause(at: source, now: now)
        }
        if overlay.isDialling(source) {
            let isAsking = interfaces[index].answersUntil >= now
            let isAnswer = !multicast && !beacon.flags.contains(.solicit) && isAsking
            effects.append(.retryNow(source, isAnswer: isAnswer))
        }
        if dialIfWanted(beacon.node, now: now, into: &effects) { return }
        if beacon.flags.contains(.solicit) { answer(source, on: index, now: now) }
    }

    // MARK: The table

    private mutating func note(
        _ beacon: Beacon,
        from source: Endpoint,
        on index: Int,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) -> BeaconOutcome {
        guard var entry = interfaces[index].neighbours[beacon.node] else {
            return noteNewNeighbour(beacon, from: source, on: index, now: now, into: &effects)
        }
        guard entry.sequence != beacon.sequence || entry.endpoint != source else { return .ignored }
        guard beacon.minutes >= entry.minutes else {
            effects.append(.dropped(.replayed))
            return .ignored
        }
        guard entry.beacons.take(now: now) else {
            effects.append(.dropped(.beaconRate))
            return .ignored
        }
        if beacon.flags.contains(.leaving) {
            noteGoodbye(of: entry, from: source, on: index, now: now)
            return .ignored
        }
        entry.refresh(beacon, at: source, now: now, configuration: configuration)
        interfaces[index].put(entry, configuration)
        return .taken
    }

    private mutating func noteNewNeighbour(
        _ beacon: Beacon,
        from source: Endpoint,
        on index: Int,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) -> BeaconOutcome {
        guard !beacon.flags.contains(.leaving) else { return .ignored }
        guard interfaces[index].newNeighbours.take(now: now) else {
            effects.append(.dropped(.beaconRate))
            return .ignored
        }
        guard makePlace(for: beacon, at: source, on: index) else {
            effects.append(.dropped(.neighbourLimit))
            return .ignored
        }
        // A node that has taken another id is at its endpoint still, and perhaps linked by another. One that began
        // there anew solicits.
        let hasNewID = interfaces[index].neighbours[source] != nil && !beacon.flags.contains(.solicit)
        let neighbour = Neighbour(beacon, at: source, now: now, configuration: configuration)
        interfaces[index].put(neighbour, configuration)
        return hasNewID ? .ignored : .taken
    }

    /// Returns whether the table has a place for a new node, which a random one without link may have to leave.
    ///
    /// A node takes the place of the one at its endpoint. Beyond that an address has few places, and unless it is
    /// linked, a link-local address shares some with all others, since hosts choose such addresses at will. In a crowd
    /// larger than the table each node gets in with such a probability that the table is a fair sample of them.
    private mutating func makePlace(for beacon: Beacon, at source: Endpoint, on index: Int) -> Bool {
        guard interfaces[index].neighbours[source] == nil else { return true }
        let neighbours = interfaces[index].neighbours.unlinkedNodes(at: source.address)
        if !source.address.isLoopback, neighbours.count >= configuration.neighboursPerAddress {
            return removeNeighbour(among: neighbours, on: index)
        }
        let count = interfaces[index].neighbours.count
        let isFull = count >= configuration.neighbourLimit
        let isLinkLocalFull =
            source.address.isLinkLocal
            && interfaces[index].neighbours.linkLocalUnlinkedCount >= configuration.linkLocalLimit
        guard isFull || isLinkLocalFull else { return true }
        if !beacon.flags.contains(.solicit) { interfaces[index].excludedCount += 1 }
        let estimate = count + interfaces[index].lastExcludedCount
        guard Int.random(in: 0..<estimate, using: &random) < count else { return false }
        let engaged = engagedNodes
        let candidates = interfaces[index].neighbours.entries.filter {
            !engaged.contains($0.node) && (isFull || !$0.wasLinked && $0.endpoint.address.isLinkLocal)
        }
        return removeNeighbour(among: candidates.map(\.node), on: index)
    }

    private mutating func removeNeighbour(among nodes: [NodeID], on index: Int) -> Bool {
        guard let victim = nodes.randomElement(using: &random) else { return false }
        interfaces[index].remove(victim)
        return true
    }

    /// Handles a leaving beacon.
    ///
    /// It counts only from the node's known endpoint. A link stays until it is closed.
    private mutating func noteGoodbye(of entry: Neighbour, from source: Endpoint, on index: Int, now: MeshInstant) {
        guard entry.endpoint == source else { return }
        if entry.wasLinked { noteChange(on: index, now: now) }
        interfaces[index].remove(entry.node)
    }

    // MARK: Answers

    /// Plans an answer to a question, with such a probability that few nodes answer it.
    private mutating func answer(_ endpoint: Endpoint, on index: Int, now: MeshInstant) {
        let visible = max(1, interfaces[index].visibleCount)
        guard Int.random(in: 0..<visible, using: &random) < configuration.answersPerSolicit,
            interfaces[index].answers.count < configuration.answerLimit,
            !interfaces[index].answers.contains(where: { $0.endpoint == endpoint })
        else { return }
        let delay = configuration.answerDelay * Double.random(in: 0...1, using: &random)
        let answer = DiscoveryInterface.Answer(due: now.advanced(by: delay), endpoint: endpoint)
        interfaces[index].answers.append(answer)
    }
}
