import Bytes

extension Discovery {
    /// Takes an interface whose sockets are open, or open again, and asks who is there.
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
        // The interface-less sockets reach no segment: nothing is said or heard there.
        guard !id.isRouted else { return fillIfDue(now: now, into: &effects) }
        let index = interfaces.firstIndex { $0.id >= id } ?? interfaces.endIndex
        if index < interfaces.endIndex, interfaces[index].id == id {
            interfaces[index].prefixes = prefixes
            interfaces[index].unicastPort = unicastPort
        } else {
            guard interfaces.count < configuration.interfaceLimit else { return }
            let rate = configuration.newNeighbourRate
            let newcomers = TokenBucket(rate: rate, burst: rate)
            interfaces.insert(
                DiscoveryInterface(
                    id: id,
                    prefixes: prefixes,
                    unicastPort: unicastPort,
                    newcomers: newcomers,
                    lastChange: now
                ),
                at: index
            )
        }
        askWhoIsThere(on: index, now: now)
        tickInterface(index, now: now, into: &effects)
        fillIfDue(now: now, into: &effects)
    }

    /// Plans the soliciting burst with which an interface, or a machine that has slept, comes back.
    mutating func askWhoIsThere(on index: Int, now: MeshInstant) {
        interfaces[index].burst = configuration.burst.map { now.advanced(by: $0) }
        interfaces[index].nextSteadyBeacon = .distantFuture
        interfaces[index].searchEnd = nil
        noteChange(on: index, now: now)
    }

    /// Notes that somebody came or went on an interface: for a while beacons are more frequent.
    ///
    /// The one planned already goes when the interval that was last announced is over.
    mutating func noteChange(on index: Int, now: MeshInstant) { interfaces[index].lastChange = now }

    /// Forgets an interface and the neighbours heard there; links are the link table's affair.
    package mutating func interfaceDown(_ id: InterfaceID, now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        interfaces.removeAll { $0.id == id }
        for dial in overlay.dials where dial.endpoint.interface == id { overlay.dialEnded(at: dial.endpoint) }
        fillAgain(at: now)
        fillIfDue(now: now, into: &effects)
    }

    /// Sends what is due on one interface and forgets whom it has not heard for long.
    mutating func tickInterface(_ index: Int, now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        let id = interfaces[index].id
        if let first = interfaces[index].burst.first, first <= now {
            // Ticks may come late: what was missed is said once, not caught up.
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
            let count = interfaces[index].neighbours.count
            interfaces[index].nextExpiry = interfaces[index].neighbours.expire(now: now)
            if interfaces[index].neighbours.count < count {
                noteChange(on: index, now: now)
                fillAgain(at: now)
            }
        }
    }

    /// A beacon that says how things are on one interface.
    mutating func beacon(
        on index: Int,
        flags: Beacon.Flags = [],
        as node: NodeID? = nil,
        now: MeshInstant
    ) -> [UInt8] {
        beaconSequence &+= 1
        let linkCount = overlay.linkCount
        let free = max(0, configuration.acceptLimit - linkCount)
        var flags = flags
        if free == 0 { flags.insert(.full) }
        let tenths = steadyInterval(on: index, now: now).wholeNanoseconds / 100_000_000
        let beacon = Beacon(
            flags: flags,
            unicastPort: interfaces[index].unicastPort,
            node: node ?? nodeID,
            interval: UInt16(clamping: tenths),
            sequence: beaconSequence,
            linkCount: UInt8(clamping: linkCount),
            freeSlotCount: UInt8(clamping: free),
            visibleCount: UInt16(clamping: interfaces[index].neighbours.count),
            root: root.status.root,
            rootSequence: root.status.sequence,
            networkTag: 0
        )
        return beacon.sealed(by: cryptography)
    }

    /// The interval at which all nodes of the segment together keep to its rate, longer where nothing changes.
    func steadyInterval(on index: Int, now: MeshInstant) -> Duration {
        let nodeCount = interfaces[index].neighbours.count + 1
        let share: Duration = .milliseconds(1_000 * nodeCount / configuration.segmentRate)
        // Who looks for a lost link is not heard by the others, or is soon among them.
        if isSearching(on: index, now: now) { return max(share / 2, configuration.searchInterval) }
        let rests = interfaces[index].lastChange.duration(to: now) >= configuration.restAfter
        let shortest = rests ? configuration.restInterval : configuration.shortestInterval
        return min(max(share, shortest), configuration.longestInterval)
    }

    private func isSearching(on index: Int, now: MeshInstant) -> Bool {
        interfaces[index].searchEnd.map { now < $0 } ?? false
    }

    /// Lets who looks around hear this node within the interval that holds where things change.
    mutating func endRest(on index: Int, now: MeshInstant) {
        guard interfaces[index].lastChange.duration(to: now) >= configuration.restAfter else { return }
        noteChange(on: index, now: now)
        let wait = steadyInterval(on: index, now: now) * Double.random(in: 0...1, using: &random)
        interfaces[index].nextSteadyBeacon = min(interfaces[index].nextSteadyBeacon, now.advanced(by: wait))
    }

    /// Looks for the peers of a segment, since the last link there has been lost.
    mutating func search(onSegment segment: UInt32, now: MeshInstant) {
        for index in interfaces.indices where interfaces[index].id.index == segment {
            noteChange(on: index, now: now)
            interfaces[index].searchEnd = now.advanced(by: configuration.searchTime)
            interfaces[index].nextSteadyBeacon = min(interfaces[index].nextSteadyBeacon, now)
        }
    }

    private mutating func planSteadyBeacon(on index: Int, now: MeshInstant) {
        let interval = random.jittered(steadyInterval(on: index, now: now), by: configuration.intervalJitter)
        interfaces[index].nextSteadyBeacon = now.advanced(by: interval)
    }

    /// Takes another node id, so that nothing in the air outlives it.
    ///
    /// Links stay up: they know their peers by keys. What keeps neighbours from taking the fresh id for a newcomer is
    /// the endpoint: a unicast socket belongs to one process, so a beacon without `solicit` from a known endpoint with
    /// another id is the same node renamed, and the entry, and the link, are carried over to the new id
    /// (`Discovery.rename`). Nobody dials, nobody answers. The beacon with the fresh id goes first, so that the goodbye
    /// of the old one finds nothing to take away; should the first be lost or overtaken, the goodbye takes away entries
    /// without link only, and the repeated beacon does the rest. A node that starts anew at the same port solicits,
    /// and is therefore not taken for its predecessor.
    mutating func takeNewNodeID(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        let former = nodeID
        formerNodeID = former
        nodeID = NodeID(random.next())
        nextNodeID = now.advanced(by: drawnNodeIDLife())
        lastNodeIDChange = now.advanced(by: configuration.longestNodeIDLife)
        effects.append(.renamed(nodeID))
        updateRoot(now: now, into: &effects) { [nodeID] in $0.rename(to: nodeID, now: now) }
        for index in interfaces.indices {
            let id = interfaces[index].id
            effects.append(.multicast(beacon(on: index, now: now), on: id))
            effects.append(.multicast(beacon(on: index, flags: .leaving, as: former, now: now), on: id))
            let again = now.advanced(by: configuration.renameRepeat)
            interfaces[index].nextSteadyBeacon = min(interfaces[index].nextSteadyBeacon, again)
        }
        // A counter that went on would join the two ids for whoever is not on the segment.
        beaconSequence = UInt16.random(in: .min ... .max, using: &random)
    }

    /// Takes another node id, or waits with that as long as the present one is needed.
    mutating func takeNewNodeIDIfFree(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard keepsNodeID, now < lastNodeIDChange else { return takeNewNodeID(now: now, into: &effects) }
        nextNodeID = min(now.advanced(by: configuration.nodeIDPatience), lastNodeIDChange)
    }
}
