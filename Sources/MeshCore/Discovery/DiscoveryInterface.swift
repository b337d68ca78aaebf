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
    /// The times of the soliciting beacons that have not left yet.
    var burst: [MeshInstant] = []
    var nextSteadyBeacon: MeshInstant = .distantFuture
    /// The time at which a node last came or went.
    var lastChange: MeshInstant
    /// The time until which the lost last link on this interface is searched for.
    var searchEnd: MeshInstant?
    var answers: [Answer] = []
    /// The time before which no neighbour expires.
    var nextExpiry: MeshInstant = .distantFuture

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
