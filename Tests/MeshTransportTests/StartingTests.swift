import MeshCore
import MeshSimulation
import Testing

@testable import MeshTransport

@Suite("Starting and stopping a node", .timeLimit(.minutes(30)))
struct StartingTests {
    private var quiet: MeshNode.Configuration {
        MeshNode.Configuration(mesh: .simulated, interfaces: [MeshNode.Configuration.loopbackName], useMulticast: false)
    }

    @Test("An interface that does not exist is refused")
    func noSuchInterface() async {
        var configuration = quiet
        configuration.interfaces = ["absent0"]
        await #expect(throws: MeshTransportError(.noSuchInterface, reason: "")) {
            try await TestNode(configuration).node.start()
        }
    }

    @Test("A port that another node has is refused")
    func portTaken() async throws {
        let first = TestNode(quiet)
        try await withRunning([first]) {
            var configuration = quiet
            configuration.port = try #require(await first.node.unicastPorts().values.first)
            await #expect(throws: MeshTransportError(.portUnavailable, reason: "")) {
                try await TestNode(configuration).node.start()
            }
        }
    }

    @Test("A discovery group's port is refused")
    func groupPort() async throws {
        let group = try await MulticastGroup.unused()
        var configuration = MeshNode.Configuration.loopback([group])
        configuration.port = group.port
        await #expect(throws: MeshTransportError(.portUnavailable, reason: "")) {
            try await TestNode(configuration).node.start()
        }
    }

    @Test("A static peer that cannot be reached by any address is refused", arguments: ["fe80::1", "300.1.1.1"])
    func unresolvedPeer(host: String) async throws {
        var configuration = quiet
        configuration.staticPeers = [try #require(HostPort(host: host, port: 9))]
        await #expect(throws: MeshTransportError(.unresolvedPeer, reason: "")) {
            try await TestNode(configuration).node.start()
        }
    }

    @Test("A node starts once")
    func startsOnce() async throws {
        let node = TestNode(quiet)
        try await withRunning([node]) {
            await #expect(throws: MeshTransportError(.alreadyStarted, reason: "")) { try await node.node.start() }
            #expect(await node.node.unicastPorts().count == 3)
        }
        await #expect(throws: MeshTransportError(.alreadyStarted, reason: "")) { try await node.node.start() }
        #expect(await node.node.unicastPorts() == [:])
    }

    @Test("Outputs end after stopping, and when their consumer is cancelled")
    func outputsEnd() async throws {
        let node = TestNode(quiet).node
        let cancelled = Task { await node.nextBatch() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        let waiting = Task { await node.nextBatch() }
        await node.stop()
        #expect(await waiting.value == nil)
        #expect(await node.nextBatch() == nil)
    }

    @Test("A stopped node takes nothing on")
    func submitAfterStop() async throws {
        let node = TestNode(quiet)
        await node.node.stop()
        await node.submit([1])
        #expect(await node.node.snapshot().storedCount == 0)
    }
}
