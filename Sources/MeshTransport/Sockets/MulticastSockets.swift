import MeshCore
package import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The sockets that hear beacons: one for each group on each interface.
///
/// Nothing is ever sent from them.
package enum MulticastSockets {
    /// A socket that hears `group` on `interface` and nothing else.
    ///
    /// Bound to the group's address, so that unicast datagrams to its port pass it by; the port is shared with every
    /// other node of the machine.
    package static func open(_ group: MulticastGroup, on interface: LocalInterface) throws(IOError) -> SystemSocket {
        let family = group.address.family
        let socket = try SystemSocket(family)
        // Not SO_REUSEPORT: with it Linux hands a datagram off the wire to one of the sockets, chosen by its hash and
        // whatever interface that one listens to, and about every second sender is never heard.
        try socket.set(.reuseAddress, to: CInt(1))
        if family == .v6 { try socket.set(.sixOnly, to: CInt(1)) }
        try socket.ignoreForeignGroups(family)
        // An IPv6 membership is not checked against the arriving interface; the zone in the bound address is.
        try socket.attach(to: SocketAddress(group.address, port: group.port, onInterface: interface.id.index))
        try socket.enter(group.address, on: interface.id)
        return socket
    }
}
