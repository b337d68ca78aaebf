public import MeshCore
import NIOCore

/// A multicast group and port by which nodes find each other.
///
/// Source: PROTOCOL §4.
public struct MulticastGroup: Hashable, Sendable {
    /// A multicast address.
    public let address: IPAddress
    /// The UDP port, never 0.
    public let port: UInt16

    /// The default groups: one of each family.
    public static let standard = ["239.255.69.83:28787", "[ff12::4541:5253]:28787"].compactMap(MulticastGroup.init)

    /// Makes a group; nil if the address is no multicast address or the port is 0.
    public init?(address: IPAddress, port: UInt16) {
        guard address.isMulticast, port != 0 else { return nil }
        self.address = address
        self.port = port
    }

    /// Reads `ADDRESS:PORT` or `[IPV6]:PORT`; nil for anything that is no multicast group.
    public init?(_ text: String) {
        guard let parts = HostPort(text),
            let parsed = try? SocketAddress(ipAddress: parts.host, port: Int(parts.port)),
            let address = IPAddress(parsed)
        else { return nil }
        self.init(address: address, port: parts.port)
    }
}
