package import MeshCore
package import NIOCore

/// The sockets on which links run, and from which beacons are sent.
package enum UnicastSockets {
    /// Units: bytes of kernel buffer that are requested in each direction; the system may grant less.
    private static let bufferByteCount: CInt = 4 * 1_024 * 1_024

    /// Opens a socket on an interface's own address and a port that the system chooses.
    ///
    /// It is bound to this address, not to all addresses: so the beacons' source is the address at which the port
    /// answers, and several nodes of one machine never compete for a datagram. Beacons leave here too, so that sockets
    /// that only listen to groups never meet a send error.
    package static func open(_ address: IPAddress, on interface: InterfaceID) throws(IOError) -> SystemSocket {
        let socket = try prepared(address.family)
        try socket.leave(by: interface)
        try socket.attach(to: SocketAddress(address, port: 0, onInterface: interface.index))
        return socket
    }

    /// Opens the interface-less socket, for static peers and other nodes that know `port`.
    ///
    /// With `device`, it is tied to that interface in both directions, because the configured interfaces exclude all
    /// others.
    static func openRouted(_ family: AddressFamily, port: UInt16, device: String?) throws(IOError) -> SystemSocket {
        let socket = try prepared(family)
        if let device { try socket.tie(toDevice: device, family: family) }
        try socket.attach(to: .any(family, port: port))
        return socket
    }

    private static func prepared(_ family: AddressFamily) throws(IOError) -> SystemSocket {
        let socket = try SystemSocket(family)
        if family == .v6 { try socket.set(.sixOnly, to: CInt(1)) }
        // Best effort: smaller buffers and fragments cost speed, not correctness.
        try? socket.set(.receiveBuffer, to: bufferByteCount)
        try? socket.set(.sendBuffer, to: bufferByteCount)
        try? socket.forbidFragments(family)
        try socket.ignoreForeignGroups(family)
        return socket
    }
}
