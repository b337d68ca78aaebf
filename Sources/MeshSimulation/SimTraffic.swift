import MeshCore

/// The traffic that a host has sent, by purpose.
public struct SimTraffic: Sendable, Equatable {
    /// Beacons, to groups and to single nodes.
    public private(set) var beaconCount = 0
    /// The size of the beacons, without IP and UDP headers.
    ///
    /// Units: bytes.
    public private(set) var beaconByteCount = 0
    /// Datagrams of links and handshakes.
    public private(set) var linkDatagramCount = 0
    /// The size of these datagrams, without IP and UDP headers.
    ///
    /// Units: bytes.
    public private(set) var linkByteCount = 0

    /// Pushes of posts to whole segments.
    public private(set) var pushCount = 0
    /// The size of the pushes, without IP and UDP headers.
    ///
    /// Units: bytes.
    public private(set) var pushByteCount = 0

    /// The number of all datagrams.
    public var datagramCount: Int { beaconCount + linkDatagramCount + pushCount }
    /// The size of all datagrams, without IP and UDP headers.
    ///
    /// Units: bytes.
    public var byteCount: Int { beaconByteCount + linkByteCount + pushByteCount }

    mutating func add(_ datagram: [UInt8]) {
        if PushDatagram.begins(datagram) {
            pushCount += 1
            pushByteCount += datagram.count
        } else if datagram.first == UInt8(ascii: "E") {
            beaconCount += 1
            beaconByteCount += datagram.count
        } else {
            linkDatagramCount += 1
            linkByteCount += datagram.count
        }
    }

    /// Subtracts earlier traffic of the same host.
    public static func - (later: SimTraffic, earlier: SimTraffic) -> SimTraffic {
        var rest = later
        rest.beaconCount -= earlier.beaconCount
        rest.beaconByteCount -= earlier.beaconByteCount
        rest.linkDatagramCount -= earlier.linkDatagramCount
        rest.linkByteCount -= earlier.linkByteCount
        rest.pushCount -= earlier.pushCount
        rest.pushByteCount -= earlier.pushByteCount
        return rest
    }
}
