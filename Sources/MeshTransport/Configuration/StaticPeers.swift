import MeshCore
import NIOCore

/// The resolution of configured peers into endpoints.
enum StaticPeers {
    /// A function that finds the endpoint of a peer.
    typealias LookUp = @Sendable (HostPort) -> Result<Endpoint, MeshTransportError>

    /// Resolves the name of a peer.
    ///
    /// It blocks while the system asks its name servers, so it must not run on an event loop. An address with a zone
    /// belongs to the sockets of that interface, every other one to the interface-less socket.
    static func resolve(_ peer: HostPort) -> Result<Endpoint, MeshTransportError> {
        do {
            let found = try SocketAddress.makeAddressResolvingHost(peer.host, port: Int(peer.port))
            guard let address = IPAddress(found), !address.isLinkLocal || found.zone != 0 else {
                return .failure(
                    MeshTransportError(.unresolvedPeer, reason: "\(peer) needs a zone, as in fe80::1%eth0")
                )
            }
            let interface = InterfaceID(index: found.zone, family: address.family)
            return .success(Endpoint(interface: interface, address: address, port: peer.port))
        } catch {
            return .failure(MeshTransportError(.unresolvedPeer, reason: "\(peer) has no address", cause: error))
        }
    }
}
