import Bytes

/// The state of discovery on one open interface: its subnets, its neighbours and its planned beacons.
struct DiscoveryInterface: Sendable {
    /// An answer to one node that waits for its time.
    struct Answer: Sendable {
        let due: MeshInstant
        let endpoint: Endpoint
    }

    let id: InterfaceID
    var prefixes: [Prefix]
    /// The port of the own unicast socket, which beacons contain.
    var unicastPort: UInt16
    var neighbours = NeighbourTable()
    /// The limit on the growth of the table.
    var newNeighbours: TokenBucket
    /// The limit on checks of beacons with the tag of another day or mesh.
    var otherTags: TokenBucket
    /// The times of the soliciting beacons that have not left yet.
    var burst: [MeshInstant] = []
    var nextSteadyBeacon: MeshInstant = .distantFuture
    /// The time at which a node last came or went.
    var lastChange: MeshInstant
    /// The time until which the lost last link on this interface is searched for.
    var searchEnd: MeshInstant?
    var answers: [Answer] = []
    /// The time until which answers to the last own question may come.
    var answersUntil = MeshInstant.zero
    /// The time before which no neighbour expires.
    var nextExpiry: MeshInstant = .distantFuture

    /// The time at which a beacon of another node last came by multicast.
    var heardAt: MeshInstant?

    // MARK: The size of the segment

    /// The estimated number of other nodes on the segment.
    var visibleCount = 0
    /// The longest interval that a neighbour's beacons are believed to have.
    var trustedInterval: Duration
    /// The number of steady beacons since the last own one of nodes for which the table has no room.
    var excludedCount = 0
    /// That number at the last own beacon.
    var lastExcludedCount = 0

    init(
        id: InterfaceID,
        prefixes: [Prefix],
        unicastPort: UInt16,
        configuration: DiscoveryConfiguration,
        now: MeshInstant
    ) {
        self.id = id
        self.prefixes = prefixes
        self.unicastPort = unicastPort
        let rate = configuration.newNeighbourRate
        newNeighbours = TokenBucket(rate: rate, burst: rate)
        otherTags = TokenBucket(rate: configuration.otherTagRate, burst: configuration.otherTagRate)
        trustedInterval = configuration.restInterval
        lastChange = now
    }

    /// Counts the nodes of the segment, at each own steady beacon.
    ///
    /// Anybody can invent nodes. So a node that had no link counts only while its beacons come: once in one and a half
    /// of its intervals. Its word for the interval is believed only up to that of most linked neighbours, which like
    /// this node know the size of the segment.
    ///
    /// - Parameters:
    ///   - linked: The nodes with a link.
    ///   - interval: The interval of own beacons until now.
    mutating func recount(
        linked: Set<NodeID>,
        interval: Duration,
        configuration: DiscoveryConfiguration,
        now: MeshInstant
    ) {
        let known = neighbours.entries.filter { linked.contains($0.node) }.map(\.interval).sorted()
        let usual = known.isEmpty ? interval : max(interval, known[known.count / 2])
        trustedInterval = min(max(configuration.restInterval, usual), configuration.longestInterval)
        (lastExcludedCount, excludedCount) = (excludedCount, 0)
        visibleCount =
            lastExcludedCount
            + neighbours.entries.count { entry in
                entry.wasLinked || entry.end(of: configuration.unlinkedIntervals, trusted: trustedInterval) >= now
            }
        planExpiry(configuration)
    }

    /// Removes the neighbours whose beacons have not come for too long, and returns them.
    mutating func expireNeighbours(_ configuration: DiscoveryConfiguration, now: MeshInstant) -> [Neighbour] {
        let trusted = trustedInterval
        let expired = neighbours.expire(now: now) { $0.end(of: configuration.expiryIntervals, trusted: trusted) }
        visibleCount = max(0, visibleCount - expired.count)
        planExpiry(configuration)
        return expired
    }

    private mutating func planExpiry(_ configuration: DiscoveryConfiguration) {
        nextExpiry = neighbours.entries.reduce(.distantFuture) {
            min($0, $1.end(of: configuration.expiryIntervals, trusted: trustedInterval))
        }
    }

    /// Takes a node in, or what it says in another beacon.
    mutating func put(_ neighbour: Neighbour, _ configuration: DiscoveryConfiguration) {
        let count = neighbours.count
        neighbours.put(neighbour)
        visibleCount = max(0, visibleCount + neighbours.count - count)
        nextExpiry = min(nextExpiry, neighbour.end(of: configuration.expiryIntervals, trusted: trustedInterval))
    }

    /// Removes a node.
    mutating func remove(_ node: NodeID) {
        neighbours.remove(node)
        visibleCount = max(0, visibleCount - 1)
    }

    /// Returns whether an address is reachable without a router.
    ///
    /// The machine's own addresses need no exception: 127.0.0.0/8 and ::1/128 are subnets of the loopback interface
    /// like others, and on other interfaces nothing arrives from them.
    func isOnLink(_ address: IPAddress) -> Bool {
        address.family == id.family
            && (prefixes.contains { $0.contains(address) } || (address.isLinkLocal && !id.isRouted))
    }

    /// The time of the next action for this interface.
    var nextDeadline: MeshInstant {
        let beacon = min(burst.first ?? .distantFuture, nextSteadyBeacon)
        return answers.reduce(min(beacon, nextExpiry)) { min($0, $1.due) }
    }
}
