extension Discovery {
    /// The result of a beacon for its sender's entry.
    private enum BeaconOutcome {
        /// The beacon needs no further processing.
        case ignored
        /// The sender was in the table, perhaps under another id.
        case known
        /// The sender is new.
        case new
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
        guard let beacon = Beacon(opening: bytes, by: cryptography) else {
            if let probe = Probe(decoding: bytes), probe.answerer == nil { endRest(on: index, now: now) }
            return effects.append(.dropped(.foreignBeacon))
        }
        guard beacon.node != nodeID, beacon.node != formerNodeID else { return }
        let source = Endpoint(interface: from.interface, address: from.address, port: beacon.unicastPort)
        let hearing = note(beacon, from: source, on: index, now: now, into: &effects)
        guard hearing != .ignored else { return }
        if !multicast, beacon.flags.contains(.solicit), beacon.root != root.status.root {
            openUntil = now.advanced(by: configuration.bridgeOpenTime)
        }
        if overlay.isDialling(source) { effects.append(.retryNow(source)) }
        if considerBridge(beacon, now: now, into: &effects) { return }
        if dialIfWanted(beacon.node, now: now, into: &effects) { return }
        // An answer is for a node that may not know this one: it asked, or it is new and has not addressed this node
        // alone. A question to this node alone is always answered; the answer is no longer than the question.
        let asks = beacon.flags.contains(.solicit)
        guard asks || (hearing == .new && multicast) else { return }
        answer(source, on: index, always: !multicast, now: now)
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
        guard entry.beacons.take(now: now) else {
            effects.append(.dropped(.beaconRate))
            return .ignored
        }
        if beacon.flags.contains(.leaving) {
            noteGoodbye(of: entry, from: source, on: index, now: now)
            return .ignored
        }
        entry.refresh(beacon, at: source, now: now, configuration: configuration)
        interfaces[index].neighbours.put(entry)
        interfaces[index].nextExpiry = min(interfaces[index].nextExpiry, entry.expires)
        return .known
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
        if interfaces[index].neighbours.count >= configuration.neighbourLimit {
            effects.append(.dropped(.neighbourLimit))
            let engaged = engagedNodes
            let unlinked = interfaces[index].neighbours.entries.map(\.node).filter { !engaged.contains($0) }
            guard let victim = unlinked.randomElement(using: &random) else { return .ignored }
            interfaces[index].neighbours.remove(victim)
        }
        // A node that has taken another id is at its endpoint still, and perhaps linked by another. One that began
        // there anew solicits.
        let hasNewID = interfaces[index].neighbours[source] != nil && !beacon.flags.contains(.solicit)
        let neighbour = Neighbour(beacon, at: source, now: now, configuration: configuration)
        interfaces[index].neighbours.put(neighbour)
        interfaces[index].nextExpiry = min(interfaces[index].nextExpiry, neighbour.expires)
        guard !hasNewID else { return .ignored }
        noteChange(on: index, now: now)
        return .new
    }

    /// Handles a leaving beacon.
    ///
    /// It counts only from the node's known endpoint. A link stays until it is closed.
    private mutating func noteGoodbye(of entry: Neighbour, from source: Endpoint, on index: Int, now: MeshInstant) {
        guard entry.endpoint == source else { return }
        noteChange(on: index, now: now)
        interfaces[index].neighbours.remove(entry.node)
    }

    // MARK: Answers

    private mutating func answer(_ endpoint: Endpoint, on index: Int, always: Bool, now: MeshInstant) {
        let visible = max(1, interfaces[index].neighbours.count)
        guard always || Int.random(in: 0..<visible, using: &random) < configuration.answersPerSolicit,
            interfaces[index].answers.count < configuration.answerLimit,
            !interfaces[index].answers.contains(where: { $0.endpoint == endpoint })
        else { return }
        let delay = configuration.answerDelay * Double.random(in: 0...1, using: &random)
        let answer = DiscoveryInterface.Answer(due: now.advanced(by: delay), endpoint: endpoint)
        interfaces[index].answers.append(answer)
    }

    // MARK: Joining components

    /// Checks a beacon with another root; returns true if that caused a dial.
    private mutating func considerBridge(
        _ beacon: Beacon,
        now: MeshInstant,
        into effects: inout [DiscoveryEffect]
    ) -> Bool {
        let isStrange =
            beacon.root != root.status.root && !isEngaged(beacon.node)
            && !root.isDead(beacon.root, beacon.rootSequence, now: now)
        switch bridge {
        case .asked(let node, _) where node == beacon.node:
            bridge = .idle
            guard isStrange, let endpoint = dialableEndpoint(of: node, now: now) else { return false }
            openUntil = now.advanced(by: configuration.bridgeOpenTime)
            return dial(node, at: endpoint, purpose: .bridge, now: now, into: &effects)
        case .waiting(let node, _) where node == beacon.node && !isStrange:
            // A new node that has linked meanwhile. Without this check a whole crowd would ask it.
            bridge = .idle
        case .idle where isStrange && mayBridge(now: now):
            let wait = configuration.bridgeWait * Double.random(in: 0...1, using: &random)
            bridge = .waiting(beacon.node, until: now.advanced(by: wait))
        default:
            break
        }
        return false
    }

    /// Returns whether this node's own state has settled.
    ///
    /// Only then does another root mean another component.
    private func mayBridge(now: MeshInstant) -> Bool {
        started.duration(to: now) >= configuration.bridgeMinimumUptime
            && root.stableSince.duration(to: now) >= configuration.rootStability
            && (lastLinkUp ?? .zero).duration(to: now) >= configuration.bridgeQuietTime
    }

    mutating func tickBridge(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        switch bridge {
        case .waiting(let node, let until) where until <= now:
            bridge = .idle
            guard mayBridge(now: now), !isEngaged(node),
                let index = interfaces.firstIndex(where: { $0.neighbours[node] != nil }),
                let endpoint = interfaces[index].neighbours[node]?.endpoint
            else { return }
            bridge = .asked(node, until: now.advanced(by: configuration.bridgeAnswerTime))
            effects.append(.send(beacon(on: index, flags: .solicit, now: now), to: endpoint))
        case .asked(_, let until) where until <= now:
            bridge = .idle
        default:
            break
        }
    }
}
