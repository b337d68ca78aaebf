import Bytes

extension Discovery {
    /// Handles an interface whose sockets are open, or open again, and solicits beacons.
    package mutating func interfaceUp(
        _ id: InterfaceID,
        prefixes: [Prefix],
        unicastPort: UInt16,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) {
        guard !hasLeft else { return }
        for index in overlay.staticPeers.indices where overlay.staticPeers[index].endpoint.interface == id {
            overlay.staticPeers[index].dialNotBefore = now
            overlay.staticPeers[index].failureCount = 0
            nextFill = now
        }
        // The sockets without an interface reach no segment: no beacons are sent or received there.
        guard !id.isRouted else { return fillIfDue(now: now, into: &effects) }
        let index = interfaces.firstIndex { $0.id >= id } ?? interfaces.endIndex
        if index < interfaces.endIndex, interfaces[index].id == id {
            interfaces[index].prefixes = prefixes
            interfaces[index].unicastPort = unicastPort
        } else {
            guard interfaces.count < configuration.interfaceLimit else { return }
            interfaces.insert(
                DiscoveryInterface(
                    id: id,
                    prefixes: prefixes,
                    unicastPort: unicastPort,
                    configuration: configuration,
                    now: now
                ),
                at: index
            )
        }
        askWhoIsThere(on: index, now: now)
        tickInterface(index, now: now, into: &effects)
        fillIfDue(now: now, into: &effects)
    }

    /// Plans the burst of soliciting beacons for an interface that comes up, or for a machine that has slept.
    mutating func askWhoIsThere(on index: Int, now: MeshInstant) {
        interfaces[index].burst = configuration.burst.map { now.advanced(by: $0) }
        interfaces[index].nextSteadyBeacon = .distantFuture
        interfaces[index].searchEnd = nil
        noteChange(on: index, now: now)
    }

    /// Records that the first link with a node came up on an interface, or that a node that was linked went.
    ///
    /// For a while beacons are more frequent. Nodes that nobody was linked with may be inventions, so they change
    /// nothing.
    ///
    /// The beacon that is already planned leaves at the end of the interval that was last announced.
    mutating func noteChange(on index: Int, now: MeshInstant) { interfaces[index].lastChange = now }

    /// Removes an interface and the neighbours discovered there.
    ///
    /// The link table ends the links. The node id changes, so that nobody sees it in two networks, one after the other.
    package mutating func interfaceDown(_ id: InterfaceID, now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        if interfaces.contains(where: { $0.id == id }) { effects.append(.nodeIDExpired) }
        interfaces.removeAll { $0.id == id }
        for dial in overlay.dials where dial.endpoint.interface == id { overlay.dialEnded(at: dial.endpoint) }
        fillAgain(at: now)
        fillIfDue(now: now, into: &effects)
    }

    /// Sends the beacons and answers that are due on one interface, and removes expired neighbours.
    mutating func tickInterface(_ index: Int, now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        let id = interfaces[index].id
        if let first = interfaces[index].burst.first, first <= now {
            // Ticks may be late. Missed beacons are sent once, not repeated.
            interfaces[index].burst.removeAll { $0 <= now }
            effects.append(.multicast(beacon(on: index, flags: .solicit, now: now), on: id))
            if interfaces[index].burst.isEmpty { planSteadyBeacon(on: index, now: now) }
        }
        if interfaces[index].nextSteadyBeacon <= now {
            let flags: Beacon.Flags = isSearching(on: index, now: now) ? .solicit : []
            effects.append(.multicast(beacon(on: index, flags: flags, now: now), on: id))
            planSteadyBeacon(on: index, now: now)
        }
        for answer in interfaces[index].answers where answer.due <= now {
            effects.append(.send(beacon(on: index, now: now), to: answer.endpoint))
        }
        interfaces[index].answers.removeAll { $0.due <= now }
        if interfaces[index].nextExpiry <= now {
            let expired = interfaces[index].expireNeighbours(configuration, now: now)
            if expired.contains(where: \.wasLinked) { noteChange(on: index, now: now) }
            if !expired.isEmpty { fillAgain(at: now) }
        }
    }

    /// Creates a beacon with the current state of one interface.
    mutating func beacon(
        on index: Int,
        flags: Beacon.Flags = [],
        now: MeshInstant
    ) -> [UInt8] {
        beaconSequence &+= 1
        if flags.contains(.solicit) { interfaces[index].answersUntil = now.advanced(by: configuration.answerPatience) }
        let tenths = steadyInterval(on: index, now: now).wholeNanoseconds / 100_000_000
        let beacon = Beacon(
            flags: flags,
            unicastPort: interfaces[index].unicastPort,
            node: nodeID,
            interval: UInt16(clamping: tenths),
            sequence: beaconSequence,
            shelf: shelf,
            minutes: UInt32(clamping: nodeIDSince.duration(to: now).components.seconds / 60),
            networkTag: 0
        )
        // The unicast socket is bound to the first address.
        guard let address = interfaces[index].prefixes.first?.address else { return beacon.encoded() }
        return beacon.sealed(from: address, by: cryptography)
    }

    /// Returns the interval at which all nodes of the segment together keep to its rate.
    ///
    /// The interval is longer if nothing changes.
    func steadyInterval(on index: Int, now: MeshInstant) -> Duration {
        let nodeCount = interfaces[index].visibleCount + 1
        let share: Duration = .milliseconds(1_000 * nodeCount / configuration.segmentRate)
        // The other nodes do not receive the beacons of a node that searches for a lost link, or it is soon among them
        // again.
        if isSearching(on: index, now: now) { return max(share / 2, configuration.searchInterval) }
        let rests = interfaces[index].lastChange.duration(to: now) >= configuration.restAfter
        let shortest = rests ? configuration.restInterval : configuration.shortestInterval
        return min(max(share, shortest), configuration.longestInterval)
    }

    func isSearching(on index: Int, now: MeshInstant) -> Bool {
        interfaces[index].searchEnd.map { now < $0 } ?? false
    }

    /// Makes this node visible to a node that probes, within the interval that applies to a changing segment.
    mutating func endRest(on index: Int, now: MeshInstant) {
        guard interfaces[index].lastChange.duration(to: now) >= configuration.restAfter else { return }
        noteChange(on: index, now: now)
        let wait = steadyInterval(on: index, now: now) * Double.random(in: 0...1, using: &random)
        interfaces[index].nextSteadyBeacon = min(interfaces[index].nextSteadyBeacon, now.advanced(by: wait))
    }

    /// Searches for the peers of a segment after the loss of the last link there.
    mutating func search(onSegment segment: UInt32, now: MeshInstant) {
        for index in interfaces.indices where interfaces[index].id.index == segment {
            noteChange(on: index, now: now)
            interfaces[index].searchEnd = now.advanced(by: configuration.searchTime)
            interfaces[index].nextSteadyBeacon = min(interfaces[index].nextSteadyBeacon, now)
        }
    }

    mutating func planSteadyBeacon(on index: Int, now: MeshInstant) {
        if !isSearching(on: index, now: now) {
            interfaces[index].recount(
                linked: linkedNodes,
                interval: steadyInterval(on: index, now: now),
                configuration: configuration,
                now: now
            )
        }
        let interval = random.jittered(steadyInterval(on: index, now: now), by: configuration.intervalJitter)
        interfaces[index].nextSteadyBeacon = now.advanced(by: interval)
    }

    /// Takes another node id, so that no identifier in sent datagrams lives longer than a node id.
    ///
    /// Links stay up. Neighbours hear the new id from the same endpoint and do not dial it, since they have a link with
    /// that endpoint. The beacon with the new id goes first, so that it replaces the entry of the old id there.
    package mutating func takeNodeID(_ node: NodeID, now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard !hasLeft else { return }
        let goodbyes = interfaces.indices.map { (interfaces[$0].id, beacon(on: $0, flags: .leaving, now: now)) }
        formerNodeID = nodeID
        nodeID = node
        nodeIDSince = now
        nextNodeID = now.advanced(by: drawnNodeIDLife())
        lastNodeIDChange = now.advanced(by: configuration.longestNodeIDLife)
        // A continuous counter would link the two ids for observers outside the segment.
        beaconSequence = UInt16.random(in: .min ... .max, using: &random)
        for (index, goodbye) in zip(interfaces.indices, goodbyes) {
            effects.append(.multicast(beacon(on: index, now: now), on: goodbye.0))
            effects.append(.multicast(goodbye.1, on: goodbye.0))
        }
    }

    /// Asks for another node id, or waits as long as the current one is needed; returns whether it asked.
    @discardableResult
    mutating func expireNodeIDIfFree(now: MeshInstant, into effects: inout [DiscoveryEffect]) -> Bool {
        let isKept = keepsNodeID && now < lastNodeIDChange
        let again = now.advanced(by: configuration.nodeIDPatience)
        nextNodeID = isKept ? min(again, lastNodeIDChange) : again
        if !isKept { effects.append(.nodeIDExpired) }
        return !isKept
    }
}
