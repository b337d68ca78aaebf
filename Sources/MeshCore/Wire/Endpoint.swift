/// The family of an internet address.
public enum AddressFamily: UInt8, Hashable, Sendable, Comparable {
    case v4 = 4
    case v6 = 6

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: AddressFamily, right: AddressFamily) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// One address family on one network interface.
///
/// It is the unit of discovery and has its own sockets.
public struct InterfaceID: Hashable, Sendable, Comparable {
    /// The system's interface index; 0 is the socket without an interface that reaches static peers, and from 2^31 on
    /// each index is a stream.
    public var index: UInt32
    /// The address family of the sockets on the interface.
    public var family: AddressFamily

    /// Creates the identifier of one family on one interface.
    public init(index: UInt32, family: AddressFamily) {
        self.index = index
        self.family = family
    }

    /// The index of the stream 0; no system gives an interface such an index.
    private static let firstStreamIndex: UInt32 = 1 << 31

    /// Returns the interface of a stream, which leads to one other node; `number` is below 2^31.
    package static func stream(_ number: UInt32) -> InterfaceID {
        InterfaceID(index: firstStreamIndex | number, family: .v6)
    }

    /// The number of the stream; nil for an interface of the system.
    package var streamNumber: UInt32? { index < Self.firstStreamIndex ? nil : index ^ Self.firstStreamIndex }

    /// Whether this is the socket of its family without an interface, or a stream: no segment belongs to it.
    public var isRouted: Bool { index == 0 || streamNumber != nil }

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: InterfaceID, right: InterfaceID) -> Bool {
        (left.index, left.family) < (right.index, right.family)
    }
}

/// An internet address without a port.
public struct IPAddress: Hashable, Sendable {
    /// Shape: 4 bytes (IPv4) or 16 bytes (IPv6), network order.
    public let bytes: [UInt8]

    /// Creates an address; returns nil if `bytes` does not have the length of one.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// The family, which follows from the length.
    public var family: AddressFamily { bytes.count == 4 ? .v4 : .v6 }

    /// Whether the address is a loopback address.
    public var isLoopback: Bool {
        family == .v4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether the address is an IPv6 link-local one (fe80::/10).
    public var isLinkLocal: Bool { family == .v6 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }
}

/// A subnet of an interface: an address on it and the length of the network part.
public struct Prefix: Hashable, Sendable {
    /// An address inside the subnet.
    public let address: IPAddress
    /// Units: bits.
    public let length: Int

    /// Creates a subnet; `length` is clamped to the address's width.
    public init(address: IPAddress, length: Int) {
        self.address = address
        self.length = min(max(0, length), address.bytes.count * 8)
    }

    /// Whether `other` lies in this subnet.
    public func contains(_ other: IPAddress) -> Bool {
        guard other.family == address.family else { return false }
        for bit in 0..<length {
            let mask = UInt8(0x80 >> (bit % 8))
            guard other.bytes[bit / 8] & mask == address.bytes[bit / 8] & mask else { return false }
        }
        return true
    }
}

/// The source or destination of a datagram, with the interface whose unicast socket carries it.
public struct Endpoint: Hashable, Sendable {
    /// The interface and family whose unicast socket carries the datagram.
    public var interface: InterfaceID
    /// The other host.
    public var address: IPAddress
    /// The other host's UDP port.
    public var port: UInt16

    /// Creates an endpoint.
    public init(interface: InterfaceID, address: IPAddress, port: UInt16) {
        self.interface = interface
        self.address = address
        self.port = port
    }
}
