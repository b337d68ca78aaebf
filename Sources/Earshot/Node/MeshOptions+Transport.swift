import ChatCore
import Foundation
import MeshCore
import MeshTransport

extension MeshNode.Configuration {
    /// The mesh's own configuration for these options; with a home, the mesh's store outlives the process.
    init(_ options: MeshOptions, home: URL?) throws(ChatError) {
        var groups: [MulticastGroup] = []
        for text in options.discoveryGroups {
            guard let group = MulticastGroup(text) else {
                throw ChatError(
                    .meshUnavailable,
                    """
                    '\(text)' is not a discovery group. Give a multicast address and a port, such as \
                    239.255.69.83:28787.
                    """
                )
            }
            groups.append(group)
        }
        var peers: [HostPort] = []
        for text in options.staticPeers {
            guard let peer = HostPort(text) else {
                throw ChatError(.meshUnavailable, "'\(text)' is not an address. Give HOST:PORT, or [IPV6]:PORT.")
            }
            peers.append(peer)
        }
        var carriers: [Carrier] = []
        for text in options.carriers {
            do {
                carriers.append(try Carrier(text))
            } catch {
                throw ChatError(.meshUnavailable, error.reason)
            }
        }
        self.init(
            mesh: options.isRelayOnly ? .relay(kinds: .chat) : MeshConfiguration(kinds: .chat),
            interfaces: options.interfaces,
            useMulticast: options.usesMulticast,
            groups: groups.isEmpty ? MulticastGroup.standard : groups,
            staticPeers: peers,
            carriers: carriers,
            port: options.port,
            storeFile: home?.appending(path: HomeFile.meshLog)
        )
    }
}
