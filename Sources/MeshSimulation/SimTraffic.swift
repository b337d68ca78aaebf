/// What a host has sent, by what it is for.
public struct SimTraffic: Sendable, Equatable {
    /// Beacons, to groups and to single nodes.
    public private(set) var beaconCount = 0
    /// Units: bytes of beacons, IP and UDP headers left out.
    public private(set) var beaconByteCount = 0
    /// Datagrams of links and handshakes.
    public private(set) var linkDatagramCount = 0
    /// Units: bytes of such datagrams, IP and UDP headers left out.
    public private(set) var linkByteCount = 0

    mutating func add(_ datagram: [UInt8]) {
        if datagram.first == UInt8(ascii: "E") {
            beaconCount += 1
            beaconByteCount += datagram.count
        } else {
            linkDatagramCount += 1
            linkByteCount += datagram.count
        }
    }

    /// What one traffic is more than an earlier one of the same host.
    public static func - (later: SimTraffic, earlier: SimTraffic) -> SimTraffic {
        var rest = later
        rest.beaconCount -= earlier.beaconCount
        rest.beaconByteCount -= earlier.beaconByteCount
        rest.linkDatagramCount -= earlier.linkDatagramCount
        rest.linkByteCount -= earlier.linkByteCount
        return rest
    }
}
