import Earshot
import Logging
import MeshCore
import MeshTransport

/// The surroundings of a node at a host of a virtual network.
struct VirtualEnvironment: NodeEnvironment {
    let network: VirtualNetwork
    let host: Int

    var now: MeshInstant { network.now }

    var wall: UInt64 { network.wall }

    /// A pause would outlast a virtual second.
    var readInterval: Duration { .zero }

    func makeMesh(
        _ configuration: MeshNode.Configuration,
        _ cryptography: any MeshCryptography,
        _ logger: Logger
    ) -> any ChatMesh {
        VirtualMeshNode(network, host, configuration.mesh, cryptography)
    }

    func schedule(at moment: MeshInstant, _ work: @escaping @Sendable () async -> Void) -> ScheduledWork {
        let number = network.schedule(at: moment, work)
        return ScheduledWork { [network] in network.cancel(number) }
    }

    func workBegan() { network.workBegan() }

    func workEnded() { network.workEnded() }
}
