import Logging
import MeshCore
import MeshSimulation
import NIOCore
import NIOPosix
import Testing

@testable import MeshTransport

/// A running node with the log of its outputs.
struct TestNode: Sendable {
    let node: MeshNode
    let log = OutputLog()

    init(_ configuration: MeshNode.Configuration, events: EventLog? = nil, on eventLoop: (any EventLoop)? = nil) {
        var logger = Logger(label: "test") { _ in events?.handler ?? SwiftLogNoOpLogHandler() }
        logger.logLevel = events == nil ? .critical : .trace
        node = MeshNode(
            configuration: configuration,
            cryptography: NullCryptography(),
            logger: logger,
            eventLoop: eventLoop ?? MultiThreadedEventLoopGroup.singleton.next()
        )
    }

    var id: NodeID { get async { await node.snapshot().nodeID } }

    func linked(to other: NodeID) async {
        await log.wait { $0.linkedNodes.contains(other) }
    }

    func received(_ body: [UInt8]) async {
        await log.wait { $0.bodies.contains(body) }
    }

    @discardableResult
    func submit(_ body: [UInt8]) async -> EnvelopeID {
        await node.submit(kind: .sealed, body: body, life: 360)
    }
}

/// Starts nodes in order, runs `body` and stops them, whatever happens.
func withRunning(_ nodes: [TestNode], _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for node in nodes {
            group.addTask { await node.log.follow(node.node) }
        }
        do {
            for node in nodes { try await node.node.start() }
            try await body()
        } catch {
            for node in nodes { await node.node.stop() }
            throw error
        }
        for node in nodes { await node.node.stop() }
        try await group.waitForAll()
    }
}

/// Consumes a started node's outputs while `body` runs, then stops the node.
func withFollowing(_ node: TestNode, _ body: () async throws -> Void) async throws {
    async let following: Void = node.log.follow(node.node)
    do {
        try await body()
    } catch {
        await node.node.stop()
        throw error
    }
    await node.node.stop()
    await following
}

extension MeshNode.Configuration {
    /// Loopback only, with a group of the caller's own.
    static func loopback(_ groups: [MulticastGroup]) -> Self {
        Self(interfaces: [loopbackName], groups: groups)
    }

    /// The name that the system gives its loopback interface.
    static var loopbackName: String {
        #if canImport(Darwin)
            "lo0"
        #else
            "lo"
        #endif
    }
}

extension MulticastGroup {
    /// A group that no other test uses, as likely as 16 bits of address and the system's choice of port make it.
    static func unused() async throws -> MulticastGroup {
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = try #require(channel.localAddress?.port)
        try await channel.close()
        return try #require(MulticastGroup("239.255.\(UInt8.random(in: 0...255)).\(UInt8.random(in: 1...254)):\(port)"))
    }
}
