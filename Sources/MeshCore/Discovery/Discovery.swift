import Bytes

/// The machine that discovers the nodes of the own segments, and decides which of them this node links to.
///
/// It sends beacons and receives those of others, keeps a table of neighbours for each interface, chooses a few of them
/// to link to, and joins components that turn out not to be connected. It knows neither sockets nor the link protocol.
/// It receives events about beacons and links, and answers with effects.
/// Source: PROTOCOL §4.
package struct Discovery: Sendable {
    /// The state of the question whether a neighbour with another root is in another component.
    enum Bridge: Sendable {
        case idle
        /// This node waits.
        ///
        /// Of many nodes with the same question the first one can resolve it for all.
        case waiting(NodeID, until: MeshInstant)
        /// This node has asked the neighbour for a new beacon.
        case asked(NodeID, until: MeshInstant)
    }

    let configuration: DiscoveryConfiguration
    let cryptography: any MeshCryptography
    var random: MeshRandom
    let started: MeshInstant
    var hasLeft = false

    var nodeID: NodeID
    /// The previous node id, whose beacons may still arrive.
    var formerNodeID: NodeID?
    var nextNodeID: MeshInstant
    /// The time at which the node id changes even if it is still needed.
    var lastNodeIDChange: MeshInstant
    /// Whether a change of the node id would lose something.
    ///
    /// The change then waits.
    package var keepsNodeID = false
    var beaconSequence: UInt16

    /// The interfaces in the order of their identifiers.
    var interfaces: [DiscoveryInterface] = []
    var overlay = Overlay()
    var dialBudget: TokenBucket
    /// The time at which missing links are counted again without any event.
    var nextFill: MeshInstant
    var nextReplacement: MeshInstant
    var root: ComponentRoot
    /// The time at which neighbours are notified of a raised counter.
    var rootAnnouncement = MeshInstant.distantFuture
    var bridge = Bridge.idle
    /// The time until which links beyond the limit are accepted.
    var openUntil: MeshInstant?
    var lastLinkUp: MeshInstant?

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
        root = ComponentRoot(own: nodeID, configuration: configuration, now: now)
        nextReplacement = .distantFuture
        nextNodeID = .distantFuture
        lastNodeIDChange = now.advanced(by: configuration.longestNodeIDLife)
        beaconSequence = 0
        beaconSequence = UInt16.random(in: .min ... .max, using: &self.random)
        nextReplacement = now.advanced(by: drawnReplacementInterval())
        nextNodeID = now.advanced(by: drawnNodeIDLife())
    }

    /// The root of this node's component, for the status on all links.
    package var rootStatus: (root: NodeID, sequence: UInt32, hops: UInt8) {
        (root.status.root, root.status.sequence, root.status.hops)
    }

    /// The number of incoming links that the node may have, including those that are up.
    ///
    /// The node's own dials count against the limit. While a component is being joined to another, the limit is
    /// slightly higher. Otherwise two full nodes could not link even if no other nodes can.
    package var inboundLimit: Int {
        let limit = configuration.acceptLimit + (openUntil == nil ? 0 : configuration.bridgeAllowance)
        return max(0, limit - overlay.links.count { $0.info.dialledHere } - overlay.dials.count)
    }

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
        let bridgeDeadline: MeshInstant =
            switch bridge {
            case .idle: .distantFuture
            case .waiting(_, let until), .asked(_, let until): until
            }
        let own = min(nextFill, nextReplacement, nextNodeID, root.nextDeadline, rootAnnouncement, bridgeDeadline)
        let dials = overlay.dials.reduce(own) { min($0, $1.expires) }
        return interfaces.reduce(min(dials, openUntil ?? .distantFuture)) { min($0, $1.nextDeadline) }
    }

    /// Performs the actions that are due.
    package mutating func tick(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard now >= nextDeadline else { return }
        if nextDeadline.duration(to: now) >= configuration.sleepTime {
            for index in interfaces.indices { askWhoIsThere(on: index, now: now) }
        }
        if now >= nextNodeID { expireNodeIDIfFree(now: now, into: &effects) }
        for index in interfaces.indices { tickInterface(index, now: now, into: &effects) }
        updateRoot(now: now, into: &effects) { $0.tick(now: now) }
        if rootAnnouncement <= now {
            rootAnnouncement = .distantFuture
            effects.append(.rootRaised)
        }
        if let until = openUntil, until <= now { openUntil = nil }
        tickBridge(now: now, into: &effects)
        for dial in overlay.dials where dial.expires <= now { noteFailure(of: dial.endpoint, now: now) }
        if now >= nextReplacement { beginReplacement(now: now, into: &effects) }
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

    /// Changes the root's state with `change` and announces the result.
    ///
    /// A different root is announced at once, and the root itself announces its raised counter at once. Other nodes
    /// delay that announcement briefly, and a node that receives it from a neighbour in the meantime need not send it
    /// to that neighbour.
    mutating func updateRoot(
        now: MeshInstant,
        into effects: inout [DiscoveryEffect],
        _ change: (inout ComponentRoot) -> Void
    ) {
        let before = root.status
        change(&root)
        guard root.status != before else { return }
        if root.status.root != before.root {
            bridge = .idle
            rootAnnouncement = .distantFuture
            for index in interfaces.indices { noteChange(on: index, now: now) }
            effects.append(.rootChanged)
        } else if root.status.root == nodeID {
            effects.append(.rootRaised)
        } else if rootAnnouncement == .distantFuture {
            let delay = configuration.rootAnnouncementDelay * Double.random(in: 0...1, using: &random)
            rootAnnouncement = now.advanced(by: delay)
        }
    }

    mutating func drawnReplacementInterval() -> Duration {
        random.jittered(configuration.rotationInterval, by: configuration.rotationJitter)
    }

    mutating func drawnNodeIDLife() -> Duration {
        let life = configuration.nodeIDLife
        let span = (life.upperBound - life.lowerBound).wholeNanoseconds
        return life.lowerBound + .nanoseconds(Int64.random(in: 0...max(0, span), using: &random))
    }
}
