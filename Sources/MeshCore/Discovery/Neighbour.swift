import Bytes

/// What is remembered of one node heard on one interface.
struct Neighbour: Sendable {
    var node: NodeID
    var endpoint: Endpoint
    let firstHeard: MeshInstant
    var lastHeard: MeshInstant
    var expires: MeshInstant
    /// The counter of the last beacon, by which a copy of it is known.
    var sequence: UInt16
    /// The node accepts no more links.
    var isFull: Bool
    /// The node, or this id of it, has said goodbye, while its link is still up.
    var isLeaving = false
    /// There has been a link with it.
    var wasLinked = false
    /// Bounds how many of its beacons are listened to.
    var beacons: TokenBucket
    /// Dials to this endpoint that failed since the last that did not.
    var failureCount = 0
    /// No dial to this endpoint before this.
    var dialNotBefore = MeshInstant.zero
    /// Nor before this, even if the node asks for it.
    var spacedUntil = MeshInstant.zero

    /// Begins with the node's first beacon.
    init(_ beacon: Beacon, at endpoint: Endpoint, now: MeshInstant, configuration: DiscoveryConfiguration) {
        node = beacon.node
        self.endpoint = endpoint
        firstHeard = now
        lastHeard = now
        expires = now
        sequence = beacon.sequence
        isFull = beacon.flags.contains(.full)
        beacons = TokenBucket(rate: configuration.beaconRate, burst: configuration.beaconBurst)
        refresh(beacon, at: endpoint, now: now, configuration: configuration)
    }

    /// Takes over what another beacon of the node says.
    mutating func refresh(
        _ beacon: Beacon,
        at endpoint: Endpoint,
        now: MeshInstant,
        configuration: DiscoveryConfiguration
    ) {
        // The announced interval is the peer's word: held to what a node of ours could announce.
        let announced: Duration = .milliseconds(100 * Int64(beacon.interval))
        let interval = min(max(announced, configuration.shortestInterval), configuration.longestInterval)
        self.endpoint = endpoint
        lastHeard = now
        expires = now.advanced(by: interval * configuration.expiryIntervals)
        sequence = beacon.sequence
        isFull = beacon.flags.contains(.full)
        isLeaving = false
        // Who asks for links is there now, whatever became of dials before.
        if beacon.flags.contains(.solicit) { dialNotBefore = min(dialNotBefore, max(spacedUntil, now)) }
    }
}
