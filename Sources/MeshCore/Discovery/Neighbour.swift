import Bytes

/// The record of one node discovered on one interface.
struct Neighbour: Sendable {
    let node: NodeID
    var endpoint: Endpoint
    let firstSeen: MeshInstant
    var lastSeen: MeshInstant
    var expires: MeshInstant
    /// The counter of the last beacon, which identifies a copy of it.
    var sequence: UInt16
    /// Whether the node accepts no more links.
    var isFull: Bool
    /// Whether there has been a link with the node.
    var wasLinked = false
    /// The limit on the number of its beacons that are processed.
    var beacons: TokenBucket
    /// The number of failed dials to this endpoint since the last success.
    var failureCount = 0
    /// The time before which this endpoint is not dialled.
    var dialNotBefore = MeshInstant.zero
    /// The time before which this endpoint is not dialled even if the node asks for it.
    var spacedUntil = MeshInstant.zero

    /// Creates the record from the node's first beacon.
    init(_ beacon: Beacon, at endpoint: Endpoint, now: MeshInstant, configuration: DiscoveryConfiguration) {
        node = beacon.node
        self.endpoint = endpoint
        firstSeen = now
        lastSeen = now
        expires = now
        sequence = beacon.sequence
        isFull = beacon.flags.contains(.full)
        beacons = TokenBucket(rate: configuration.beaconRate, burst: configuration.beaconBurst)
        refresh(beacon, at: endpoint, now: now, configuration: configuration)
    }

    /// Updates the record from another beacon of the node.
    mutating func refresh(
        _ beacon: Beacon,
        at endpoint: Endpoint,
        now: MeshInstant,
        configuration: DiscoveryConfiguration
    ) {
        // The peer controls the announced interval. It is clamped to the range that this implementation can announce.
        let announced: Duration = .milliseconds(100 * Int64(beacon.interval))
        let interval = min(max(announced, configuration.shortestInterval), configuration.longestInterval)
        self.endpoint = endpoint
        lastSeen = now
        expires = now.advanced(by: interval * configuration.expiryIntervals)
        sequence = beacon.sequence
        isFull = beacon.flags.contains(.full)
        // A node that solicits is present now, whatever the result of earlier dials.
        if beacon.flags.contains(.solicit) { dialNotBefore = min(dialNotBefore, max(spacedUntil, now)) }
    }
}
