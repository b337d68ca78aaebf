import Logging
import MeshCore
import MeshSimulation
import NIOPosix
import Testing

@testable import MeshTransport

/// An address whose bytes a test wrote down.
func address(_ bytes: [UInt8]) -> IPAddress {
    guard let address = IPAddress(bytes: bytes) else { preconditionFailure("\(bytes) is no address") }
    return address
}

extension MulticastGroup {
    /// A group that no other test uses, as likely as the system's choice of port makes it.
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
    /// A node that nobody but a test hears.
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
