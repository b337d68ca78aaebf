import Logging
import MeshCore
import MeshSimulation
import NIOCore
import NIOPosix
import Testing

@testable import MeshTransport

/// A node with the record of its outputs.
struct TestNode: Sendable {
    let node: MeshNode
    let outputs = Recorder<MeshEffect>()

    init(
        _ configuration: MeshNode.Configuration,
        events: EventLog? = nil,
        on eventLoop: (any EventLoop)? = nil,
        lookUp: @escaping StaticPeers.LookUp = StaticPeers.resolve
    ) {
        var logger = Logger(label: "test") { _ in events?.handler ?? SwiftLogNoOpLogHandler() }
        logger.logLevel = events == nil ? .critical : .trace
        node = MeshNode(
            configuration: configuration,
            cryptography: NullCryptography(),
            logger: logger,
            eventLoop: eventLoop ?? MultiThreadedEventLoopGroup.singleton.next(),
            lookUp: lookUp
        )
    }

    var id: NodeID { get async { await node.snapshot().nodeID } }

    /// Records the node's outputs until it stops.
    func follow() async {
        while let batch = await node.nextBatch() { outputs.append(batch.effects) }
    }

    func linked(to other: NodeID) async throws {
        try await outputs.wait { $0.linkedNodes.contains(other) }
    }

    func received(_ body: [UInt8]) async throws {
        try await outputs.wait { $0.bodies.contains(body) }
    }

    @discardableResult
    func submit(_ body: [UInt8]) async -> EnvelopeID {
        await node.submit(kind: .room, body: body, life: 360)
    }
}

/// Starts nodes in order, records their outputs while `body` runs, and stops them, even after an error.
func withRunning(
    _ nodes: [TestNode],
    followed: Bool = true,
    _ body: () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for node in nodes where followed {
            group.addTask { await node.follow() }
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

extension [MeshEffect] {
    /// The bodies of the received envelopes, in order.
    var bodies: [[UInt8]] {
        compactMap { output in
            guard case .deliver(let envelope, _) = output else { return nil }
            return envelope.body
        }
    }

    /// The nodes to which links came up, once each.
    var linkedNodes: Set<NodeID> {
        Set(
            compactMap { output in
                guard case .linkUp(_, let node, _) = output else { return nil }
                return node
            }
        )
    }
}

extension [MeshEffect] {
    /// The nodes to which links ended, once each.
    var lostNodes: Set<NodeID> {
        Set(
            compactMap { output in
                guard case .linkDown(_, let node, _) = output else { return nil }
                return node
            }
        )
    }

    /// The largest number of links to one node that were up at the same time.
    var mostLinksToOneNode: Int {
        var up: [NodeID: Set<LinkID>] = [:]
        return reduce(0) { most, output in
            switch output {
            case .linkUp(let link, let node, _): up[node, default: []].insert(link)
            case .linkDown(let link, let node, _): up[node]?.remove(link)
            default: break
            }
            return Swift.max(most, up.values.map(\.count).max() ?? 0)
        }
    }
}

extension MeshNode.Configuration {
    /// Makes a configuration for loopback only, with the groups of the caller.
    static func loopback(_ groups: [MulticastGroup]) -> Self {
        Self(mesh: .simulated, interfaces: [loopbackName], groups: groups)
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
    /// Makes a group that probably no other test uses: 16 bits of its address are random; the system picks its port.
    static func unused() async throws -> MulticastGroup {
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = try #require(channel.localAddress?.port)
        try await channel.close()
        let host = "239.255.\(UInt8.random(in: 0...255)).\(UInt8.random(in: 1...254))"
        return try #require(MulticastGroup("\(host):\(port)"))
    }
}
