import Logging
import MeshCore
import MeshSimulation
import NIOPosix
import Testing

@testable import MeshTransport

/// Makes an address from bytes that a test gives.
func address(_ bytes: [UInt8]) -> IPAddress {
    guard let address = IPAddress(bytes: bytes) else { preconditionFailure("\(bytes) is no address") }
    return address
}

extension MulticastGroup {
    /// Makes a group that probably no other test uses: 8 bits of its address are random; the system picks its port.
    static func unused() async throws -> MulticastGroup {
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = try #require(channel.localAddress?.port)
        try await channel.close()
        return try #require(MulticastGroup("239.255.\(UInt8.random(in: 0...255)).77:\(port)"))
    }
}

extension MeshNode {
    /// Makes a node on loopback, which only the tests can discover.
    static func onLoopback(_ group: MulticastGroup) -> MeshNode {
        MeshNode(
            configuration: Configuration(mesh: .simulated, interfaces: [Configuration.loopbackName], groups: [group]),
            cryptography: NullCryptography(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            lookUp: StaticPeers.resolve
        )
    }
}

extension MeshNode.Configuration {
    /// The name that the system gives its loopback interface.
    static var loopbackName: String {
        #if canImport(Darwin)
            "lo0"
        #else
            "lo"
        #endif
    }
}
