import Bytes

/// Discovery's view of one open interface: its subnets, its neighbours and its beacons to come.
struct DiscoveryInterface: Sendable {
    /// An answer to one node that waits for its moment.
    struct Answer: Sendable {
        let due: MeshInstant
        let endpoint: Endpoint
    }

    let id: InterfaceID
    var prefixes: [Prefix]
    /// The port of the own unicast socket, told in beacons.
    var unicastPort: UInt16
    var neighbours = NeighbourTable()
    /// Bounds how fast the table grows.
    var newcomers: TokenBucket
    /// The beacons of the soliciting burst that have not left.
    var burst: [MeshInstant] = []
    var nextSteadyBeacon: MeshInstant = .distantFuture
    /// When somebody last came or went.
    var lastChange: MeshInstant
    /// Until when the last link here, which was lost, is searched for.
    var searchEnd: MeshInstant?
    var answers: [Answer] = []
    /// A time before which no neighbour expires.
    var nextExpiry: MeshInstant = .distantFuture

    /// Whether an address can be reached without a router.
    ///
    /// The machine's own addresses need no exception: 127.0.0.0/8 and ::1/128 are subnets of the loopback interface
    /// like others, and on another interface nothing comes from them.
    func isOnLink(_ address: IPAddress) -> Bool {
        address.family == id.family
            && (prefixes.contains { $0.contains(address) } || (address.isLinkLocal && !id.isRouted))
    }

    /// When something is to be done for this interface.
    var nextDeadline: MeshInstant {
        let beacon = min(burst.first ?? .distantFuture, nextSteadyBeacon)
        return answers.reduce(min(beacon, nextExpiry)) { min($0, $1.due) }
    }
}
