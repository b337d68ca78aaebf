import Bytes

/// The record of one node discovered on one interface.
struct Neighbour: Sendable {
    let node: NodeID
    var endpoint: Endpoint
    let firstSeen: MeshInstant
    var lastSeen: MeshInstant
    /// The interval of its beacons, as it says.
    var interval: Duration
    /// The counter of the last beacon, which identifies a copy of it.
    var sequence: UInt16
    /// The time on the node's clock in the last beacon.
    ///
    /// Units: minutes.
    var minutes: UInt32
    /// The shelf in the last beacon.
    var shelf: Shelf
    /// Whether there has been a link with the node, so that it is no invention.
    var wasLinked = false
    /// The limit on the number of its beacons that are processed.
    var beacons: TokenBucket

    /// Creates the record from the node's first beacon.
    init(_ beacon: Beacon, at endpoint: Endpoint, now: MeshInstant, configuration: DiscoveryConfiguration) {
        node = beacon.node
        self.endpoint = endpoint
        firstSeen = now
        lastSeen = now
        interval = .zero
        sequence = beacon.sequence
        minutes = beacon.minutes
        shelf = beacon.shelf
        beacons = TokenBucket(rate: configuration.beaconRate, burst: configuration.beaconBurst)
        refresh(beacon, at: endpoint, now: now, configuration: configuration)
    }

    /// Updates the record from a beacon of the node.
    mutating func refresh(
        _ beacon: Beacon,
        at endpoint: Endpoint,
        now: MeshInstant,
        configuration: DiscoveryConfiguration
    ) {
        interval = max(.milliseconds(100 * Int64(beacon.interval)), configuration.shortestInterval)
        self.endpoint = endpoint
        lastSeen = now
        sequence = beacon.sequence
        minutes = beacon.minutes
        shelf = beacon.shelf
    }

    /// Returns the end of this number of the node's intervals, each of which is believed up to `trusted`.
    func end(of intervals: Double, trusted: Duration) -> MeshInstant {
        lastSeen.advanced(by: min(interval, trusted) * intervals)
    }
}
