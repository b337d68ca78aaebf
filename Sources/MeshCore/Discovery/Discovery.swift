import Bytes

/// Finds the nodes of the own segments, and decides which of them a link is wanted to.
///
/// It says beacons and listens to those of others, keeps a table of neighbours for each interface, chooses a few of
/// them to link to, and joins components that turn out not to be connected. It knows no socket and no link protocol:
/// it is told what was heard and which links are up, and answers with effects.
/// Source: PROTOCOL §4.
package struct Discovery: Sendable {
    /// The question whether a neighbour with another root is in another component.
    enum Bridge: Sendable {
        case idle
        /// Waiting, so that of many nodes with the same question the first can answer it for all.
        case waiting(NodeID, until: MeshInstant)
        /// The neighbour has been asked for a fresh beacon.
        case asked(NodeID, until: MeshInstant)
    }

    let configuration: DiscoveryConfiguration
    let cryptography: any MeshCryptography
    var random: MeshRandom
    let started: MeshInstant
    var hasLeft = false

    var nodeID: NodeID
    /// The node id before the current one, whose beacons may still echo.
    var formerNodeID: NodeID?
    var nextNodeID: MeshInstant
    /// When the node id changes, whatever there is against it.
    var lastNodeIDChange: MeshInstant
    /// Whether something would be lost by a change of the node id, which then waits.
    package var keepsNodeID = false
    var beaconSequence: UInt16

    /// In the order of their identifiers.
    var interfaces: [DiscoveryInterface] = []
    var overlay = Overlay()
    var dialBudget: TokenBucket
    /// When links are to be counted again though nothing has happened.
    var nextFill: MeshInstant
    var nextReplacement: MeshInstant
    var root: ComponentRoot
    /// When neighbours are told of a raised counter.
    var rootTelling = MeshInstant.distantFuture
    var bridge = Bridge.idle
    /// Links beyond the limit are accepted until then.
    var openUntil: MeshInstant?
    var lastLinkUp: MeshInstant?

    /// Begins without interfaces; `random` gives the jitter, the choices and the later node ids.
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

    /// The root of this node's component, for the status told on all links.
    package var rootStatus: (root: NodeID, sequence: UInt32, hops: UInt8) {
        (root.status.root, root.status.sequence, root.status.hops)
    }

    /// Units: links; how many of others' dials may be accepted, with those that are up.
    ///
    /// The node's own dials count against the limit. While a component is joined to another the limit is a little
    /// higher, since otherwise two full nodes could not link though nobody else can.
    package var inboundLimit: Int {
        let limit = configuration.acceptLimit + (openUntil == nil ? 0 : configuration.bridgeAllowance)
        return max(0, limit - overlay.links.count { $0.info.dialledHere } - overlay.dials.count)
    }

    /// The nodes heard, by interface and node id.
    package var neighbours: [NeighbourInfo] {
        interfaces.flatMap { interface in
            interface.neighbours.entries.sorted { $0.node < $1.node }.map {
                NeighbourInfo(
                    node: $0.node,
                    endpoint: $0.endpoint,
                    isLinked: overlay.isLinked($0.node),
                    lastHeard: $0.lastHeard
                )
            }
        }
    }

    /// How long each first link with a neighbour, of those that are up, took from its first beacon.
    package var discoveryTimes: [Duration] { overlay.links.compactMap(\.discoveryTime) }

    /// When `tick` has something to do.
    package var nextDeadline: MeshInstant {
        guard !hasLeft else { return .distantFuture }
        let bridgeDeadline: MeshInstant =
            switch bridge {
            case .idle: .distantFuture
            case .waiting(_, let until), .asked(_, let until): until
            }
        let own = min(nextFill, nextReplacement, nextNodeID, root.nextDeadline, rootTelling, bridgeDeadline)
        let dials = overlay.dials.reduce(own) { min($0, $1.expires) }
        return interfaces.reduce(min(dials, openUntil ?? .distantFuture)) { min($0, $1.nextDeadline) }
    }

    /// Does what has become due.
    package mutating func tick(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard now >= nextDeadline else { return }
        if nextDeadline.duration(to: now) >= configuration.sleepTime {
            for index in interfaces.indices { askWhoIsThere(on: index, now: now) }
        }
        if now >= nextNodeID { takeNewNodeIDIfFree(now: now, into: &effects) }
        for index in interfaces.indices { tickInterface(index, now: now, into: &effects) }
        updateRoot(now: now, into: &effects) { $0.tick(now: now) }
        if rootTelling <= now {
            rootTelling = .distantFuture
            effects.append(.rootRaised)
        }
        if let until = openUntil, until <= now { openUntil = nil }
        tickBridge(now: now, into: &effects)
        for dial in overlay.dials where dial.expires <= now { noteFailure(of: dial.endpoint, now: now) }
        if now >= nextReplacement { beginReplacement(now: now, into: &effects) }
        if now >= nextFill { fill(now: now, into: &effects) }
    }

    /// Says goodbye on every interface; afterwards nothing happens any more.
    package mutating func leave(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        guard !hasLeft else { return }
        for index in interfaces.indices {
            effects.append(.multicast(beacon(on: index, flags: .leaving, now: now), on: interfaces[index].id))
        }
        interfaces = []
        hasLeft = true
    }

    /// Changes the root's state by `change` and tells what came of it.
    ///
    /// Another root is told at once, and so is its own counter by the root itself. Others hold word of that back for a
    /// moment, and whoever hears it from a neighbour meanwhile need not tell that one.
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
            rootTelling = .distantFuture
            for index in interfaces.indices { noteChange(on: index, now: now) }
            effects.append(.rootChanged)
        } else if root.status.root == nodeID {
            effects.append(.rootRaised)
        } else if rootTelling == .distantFuture {
            let delay = configuration.rootTellingDelay * Double.random(in: 0...1, using: &random)
            rootTelling = now.advanced(by: delay)
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
