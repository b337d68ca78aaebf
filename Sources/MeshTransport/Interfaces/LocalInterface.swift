package import MeshCore
package import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One address family on one network interface that is up, as far as sockets need it.
package struct LocalInterface: Equatable, Sendable {
    /// The system's index and the family.
    package let id: InterfaceID
    /// The system's name.
    package let name: String
    let isLoopback: Bool
    let isMulticast: Bool
    /// Whether the interface is used only if it is named: a tunnel, a bridge or a container's.
    let isPrivate: Bool
    /// The subnets whose hosts are neighbours.
    ///
    /// IPv6: only the link-local subnet, if there is one. Nodes then beacon from link-local addresses, and the global
    /// ones come and go daily without a meaning for the mesh.
    package let prefixes: [Prefix]

    /// The address that unicast sockets are bound to; nil for no interface in particular.
    package var address: IPAddress? { prefixes.first?.address }

    /// Whether beacons are multicast here.
    ///
    /// IPv6 groups do not work on loopback; IPv4 groups do, although loopback lacks the flag.
    package var canHearGroups: Bool { isMulticast || isLoopback && id.family == .v4 }
}

extension LocalInterface {
    /// Returns the interfaces that the system has at this moment, in a stable order.
    package static func current() throws(IOError) -> [LocalInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let list else { throw IOError(errnoCode: errno, reason: "getifaddrs") }
        defer { freeifaddrs(list) }
        var rows: [InterfaceID: [InterfaceRow]] = [:]
        for entry in sequence(first: list, next: { $0.pointee.ifa_next }) {
            guard let row = InterfaceRow(entry.pointee) else { continue }
            rows[row.id, default: []].append(row)
        }
        return rows.keys.sorted().compactMap { rows[$0].flatMap(LocalInterface.init) }
    }

    /// Returns the system's interfaces that a node with these names uses.
    package static func used(by names: [String]) throws(IOError) -> [LocalInterface] {
        var monitor = InterfaceMonitor(names: names)
        return try monitor.update(current()).compactMap { change in
            if case .up(let interface) = change { interface } else { nil }
        }
    }

    private init?(_ rows: [InterfaceRow]) {
        let linkLocal = rows.filter(\.prefix.address.isLinkLocal)
        let used = linkLocal.isEmpty ? rows : linkLocal
        guard let first = used.first else { return nil }
        self.init(
            id: first.id,
            name: first.name,
            isLoopback: first.flags & UInt32(IFF_LOOPBACK) != 0,
            isMulticast: first.flags & UInt32(IFF_MULTICAST) != 0,
            isPrivate: PrivateNetwork.isReached(by: first.name, flags: first.flags),
            prefixes: used.map(\.prefix)
        )
    }
}

/// One address of an interface that is up, as the system lists it.
private struct InterfaceRow {
    let id: InterfaceID
    let name: String
    let flags: UInt32
    let prefix: Prefix

    init?(_ entry: ifaddrs) {
        guard UInt32(entry.ifa_flags) & UInt32(IFF_UP) != 0, let raw = entry.ifa_addr, let address = IPAddress(raw),
            let mask = entry.ifa_netmask.flatMap({ IPAddress($0, family: address.family) })
        else { return nil }
        let index = if_nametoindex(entry.ifa_name)
        guard index != 0 else { return nil }
        id = InterfaceID(index: index, family: address.family)
        name = String(cString: entry.ifa_name)
        flags = UInt32(entry.ifa_flags)
        prefix = Prefix(address: address, length: mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}

extension IPAddress {
    fileprivate init?(_ raw: UnsafeMutablePointer<sockaddr>) {
        switch CInt(raw.pointee.sa_family) {
        case AF_INET: self.init(raw, family: .v4)
        case AF_INET6: self.init(raw, family: .v6)
        default: return nil
        }
    }

    fileprivate init?(_ raw: UnsafeMutablePointer<sockaddr>, family: AddressFamily) {
        let bytes = UnsafeRawPointer(raw)
        switch family {
        case .v4: self.init(bytes.loadUnaligned(as: sockaddr_in.self))
        case .v6: self.init(bytes.loadUnaligned(as: sockaddr_in6.self))
        }
    }
}
