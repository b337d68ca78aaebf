package import MeshCore
package import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SocketAddress {
    /// Makes the system's form of an address; `index` becomes the zone if the address means nothing without one.
    package init(_ address: IPAddress, port: UInt16, onInterface index: UInt32) {
        switch address.family {
        case .v4:
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &raw.sin_addr) { $0.copyBytes(from: address.bytes) }
            self.init(raw)
        case .v6:
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = port.bigEndian
            raw.sin6_scope_id = address.needsZone ? index : 0
            withUnsafeMutableBytes(of: &raw.sin6_addr) { $0.copyBytes(from: address.bytes) }
            self.init(raw)
        }
    }

    /// Returns the address that stands for all of the machine's own addresses of one family.
    static func any(_ family: AddressFamily, port: UInt16) -> SocketAddress {
        switch family {
        case .v4:
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = port.bigEndian
            return SocketAddress(raw)
        case .v6:
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = port.bigEndian
            return SocketAddress(raw)
        }
    }

    /// The index of the interface that an IPv6 link-local address belongs to; 0 if there is none.
    var zone: UInt32 {
        guard case .v6(let address) = self else { return 0 }
        return address.address.sin6_scope_id
    }
}

extension IPAddress {
    /// Takes the address from the system's form; nil for a Unix domain socket.
    package init?(_ socketAddress: SocketAddress) {
        switch socketAddress {
        case .v4(let address): self.init(address.address)
        case .v6(let address): self.init(address.address)
        case .unixDomainSocket: return nil
        }
    }

    init?(_ raw: sockaddr_in) {
        self.init(bytes: withUnsafeBytes(of: raw.sin_addr) { Array($0) })
    }

    init?(_ raw: sockaddr_in6) {
        self.init(bytes: withUnsafeBytes(of: raw.sin6_addr) { Array($0) })
    }

    var isMulticast: Bool { family == .v4 ? bytes[0] & 0xF0 == 0xE0 : bytes[0] == 0xFF }

    /// Whether the same address can exist on several links: fe80::/10 and the groups of interface and link scope.
    var needsZone: Bool { isLinkLocal || family == .v6 && isMulticast && bytes[1] & 0x0F <= 2 }
}

extension Endpoint {
    /// Takes the source of a datagram that the sockets of `interface` received.
    init?(_ source: SocketAddress, receivedOn interface: InterfaceID) {
        guard let address = IPAddress(source), address.family == interface.family,
            let port = source.port.flatMap(UInt16.init(exactly:))
        else { return nil }
        self.init(interface: interface, address: address, port: port)
    }
}
