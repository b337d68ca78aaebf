import Bytes

/// The machine that discovers the nodes of the own segments, and decides which of them this node links to.
///
/// It sends beacons and receives those of others, keeps a table of neighbours for each interface, chooses a few of them
/// to link to, and changes that choice slowly, so that no part of the mesh stays apart. It knows neither sockets nor the
/// link protocol.
/// It receives events about beacons and links, and answers with effects.
/// Source: PROTOCOL §4.
package struct Discovery: Sendable {
    let configuration: DiscoveryConfiguration
    let cryptography: any MeshCryptography
    var random: MeshRandom
    let started: MeshInstant
    var hasLeft = false

    var nodeID: NodeID
    /// The previous node id, whose beacons may still arrive.
    var formerNodeID: NodeID?
    /// The time at which the node took its id.
    var nodeIDSince: MeshInstant
    var nextNodeID: MeshInstant
    /// The time at which the node id changes even if it is still needed.
    var lastNodeIDChange: MeshInstant
    /// Whether a change of the node id would lose something.
    ///
    /// The change then waits.
    package var keepsNodeID = false
    var beaconSequence: UInt16
    /// The places of what the node stores for others, for beacons.
    package var shelf = Shelf.everything

    /// The interfaces in the order of their identifiers.
    var interfaces: [DiscoveryInterface] = []
    var overlay = Overlay()
    var dialBudget: TokenBucket
    var dialHistory: DialHistory
    /// The time at which missing links are counted again without any event.
    var nextFill: MeshInstant
    /// The time of the last rotation.
    var lastRotation: MeshInstant
    /// The random part of the time to the next rotation.
    var rotationFactor = 1.0
    var nextRotation: MeshInstant

    /// Creates discovery without interfaces; `random` supplies the jitter, the choices and the later node ids.
    package init(
        nodeID: NodeID,
        configuration: DiscoveryConfiguration,
        cryptography: any MeshCryptography,
        random: MeshRandom,
        now: MeshInstant
    ) {
        self.nodeID = nodeID
        self.configuration = configuration
        self.cryptography = cryptography
        self.random = random
        started = now
        dialBudget = TokenBucket(rate: configuration.dialRate, burst: configuration.dialRate)
        nextFill = now.advanced(by: configuration.settleTime)
        dialHistory = DialHistory(limit: configuration.dialHistoryLimit)
        lastRotation = now
        nextRotation = now
        nodeIDSince = now
        nextNodeID = .distantFuture
        lastNodeIDChange = now.advanced(by: configuration.longestNodeIDLife)
        beaconSequence = 0
        beaconSequence = UInt16.random(in: .min ... .max, using: &self.random)
        planRotation(now: now)
        nextNodeID = now.advanced(by: drawnNodeIDLife())
    }

    /// The number of incoming links that the node may have, including those that are up.
    ///
    /// The node's own dials count against the limit, but not those to which paths lead.
    package var inboundLimit: Int { max(0, configuration.acceptLimit - overlay.ownCount) }

    /// The discovered nodes, by interface and node id.
    package var neighbours: [NeighbourInfo] {
        let linked = linkedNodes
        return interfaces.flatMap { interface in
            interface.neighbours.entries.sorted { $0.node < $1.node }.map {
                NeighbourInfo(
                    node: $0.node,
                    endpoint: $0.endpoint,
                    isLinked: linked.contains($0.node),
                    lastSeen: $0.lastSeen
                )
            }
        }
    }

    /// The time from a neighbour's first beacon to the first link with it, for each such link that is up.
    package var discoveryTimes: [Duration] { overlay.links.compactMap(\.discoveryTime) }

    /// The time at which `tick` has something to do.
    package var nextDeadline: MeshInstant {
        guard !hasLeft else { return .distantFuture }
        let own = min(nextFill, nextRotation, nextNodeID)
        let dials = overlay.dials.reduce(own) { min($0, $1.expires) }
        return interfaces.reduce(dials) { min($0, $1.nextDeadline) }
    }

    /// Performs the actions that are due.
    package mutating func tick(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard now >= nextDeadline else { return }
        if nextDeadline.duration(to: now) >= configuration.sleepTime {
            for index in interfaces.indices { askWhoIsThere(on: index, now: now) }
        }
        // The other actions follow under the new id, in a tick of their own.
        if now >= nextNodeID, expireNodeIDIfFree(now: now, into: &effects) { return }
        for index in interfaces.indices { tickInterface(index, now: now, into: &effects) }
        for dial in overlay.dials where dial.expires <= now { noteFailure(of: dial.endpoint, now: now) }
        if now >= nextRotation { rotate(now: now, into: &effects) }
        if now >= nextFill { fill(now: now, into: &effects) }
    }

    /// Sends a leaving beacon on every interface.
    ///
    /// Afterwards nothing happens any more.
    package mutating func leave(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard !hasLeft else { return }
        for index in interfaces.indices {
            effects.append(.multicast(beacon(on: index, flags: .leaving, now: now), on: interfaces[index].id))
        }
        interfaces = []
        hasLeft = true
    }

    mutating func drawnNodeIDLife() -> Duration {
        let life = configuration.nodeIDLife
        let span = (life.upperBound - life.lowerBound).wholeNanoseconds
        return life.lowerBound + .nanoseconds(Int64.random(in: 0...max(0, span), using: &random))
    }
}
