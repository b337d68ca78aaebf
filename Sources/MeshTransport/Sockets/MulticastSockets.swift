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
    /// Opens a socket that hears `group` on `interface` and nothing else.
    ///
    /// It is bound to the group's address, so that it does not receive unicast datagrams to its port; it shares the
    /// port with every other node of the machine.
    package static func open(_ group: MulticastGroup, on interface: LocalInterface) throws(IOError) -> SystemSocket {
        let family = group.address.family
        let socket = try SystemSocket(family)
        // SO_REUSEPORT would be wrong: with it, Linux hands a datagram from the wire to one of the sockets, chosen by
        // its hash and regardless of that socket's interface, and about every second sender is never heard.
        try socket.set(.reuseAddress, to: CInt(1))
        if family == .v6 { try socket.set(.sixOnly, to: CInt(1)) }
        try socket.ignoreForeignGroups(family)
        // The system does not check an IPv6 membership against the arriving interface, but it checks the zone in the
        // bound address.
        try socket.attach(to: SocketAddress(group.address, port: group.port, onInterface: interface.id.index))
        try socket.enter(group.address, on: interface.id)
        return socket
    }
}
