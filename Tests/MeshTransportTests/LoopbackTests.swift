import MeshCore
import MeshSimulation
import NIOCore
import NIOPosix
import Testing

@testable import MeshTransport

/// Tests with real sockets on the loopback interface; `NamespaceTests` covers other interfaces.
@Suite("Nodes on loopback", .timeLimit(.minutes(30)))
struct LoopbackTests {
    @Test("Two nodes find each other by multicast and pass envelopes both ways")
    func twoNodes() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let (left, right) = (TestNode(configuration), TestNode(configuration))
        try await withRunning([left, right]) {
            try await left.linked(to: right.id)
            try await right.linked(to: left.id)
            await left.submit([1, 2, 3])
            await right.submit([4, 5, 6])
            try await right.received([1, 2, 3])
            try await left.received([4, 5, 6])
        }
        #expect(left.outputs.all.bodies == [[4, 5, 6]])
        #expect(right.outputs.all.bodies == [[1, 2, 3]])
    }

    @Test("An own envelope is reported as transmitted and as carried, once each")
    func reports() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let (left, right) = (TestNode(configuration), TestNode(configuration))
        try await withRunning([left, right]) {
            try await left.linked(to: right.id)
            let id = await left.submit([1, 2, 3])
            try await left.outputs.wait { $0.contains(.carried(id)) }
            #expect(left.outputs.all.filter { $0 == .transmitted(id) || $0 == .carried(id) }.count == 2)
            try await right.outputs.wait { !$0.bodies.isEmpty }
            guard case .deliver(_, id: id)? = right.outputs.all.last else {
                Issue.record("the receiver names the envelope differently")
                return
            }
        }
    }

    @Test("Three nodes of one machine are all linked to each other")
    func threeNodes() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let nodes = (0..<3).map { _ in TestNode(configuration) }
        try await withRunning(nodes) {
            for node in nodes {
                for other in nodes where await other.id != node.id { try await node.linked(to: other.id) }
            }
        }
    }

    @Test("Nodes of different groups do not meet, and a relay in both passes envelopes between them")
    func relayBetweenGroups() async throws {
        let (first, second) = (try await MulticastGroup.unused(), try await MulticastGroup.unused())
        let (left, right) = (TestNode(.loopback([first])), TestNode(.loopback([second])))
        let relay = TestNode(.loopback([first, second]))
        try await withRunning([left, relay, right]) {
            try await left.linked(to: relay.id)
            try await right.linked(to: relay.id)
            await left.submit([1])
            await right.submit([2])
            try await right.received([1])
            try await left.received([2])
            #expect(left.outputs.all.linkedNodes == [await relay.id])
            #expect(right.outputs.all.linkedNodes == [await relay.id])
        }
    }

    @Test("A node alone hears its own beacons and takes nobody for a peer")
    func ownBeacons() async throws {
        let events = EventLog()
        let node = try await TestNode(.loopback([.unused()]), events: events)
        try await withRunning([node]) {
            try await events.wait(count: 3) { $0.datagram != nil }
            let snapshot = await node.node.snapshot()
            #expect(snapshot.links == [])
            #expect(snapshot.neighbours == [])
        }
        #expect(node.outputs.all == [])
    }

    @Test("A long datagram arrives whole")
    func longDatagram() async throws {
        let events = EventLog()
        let node = try await TestNode(.loopback([.unused()]), events: events)
        let bytes = (0..<1_400).map { UInt8(truncatingIfNeeded: $0 &* 7) | 0x80 }
        try await withRunning([node]) {
            let sender = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: "127.0.0.1", port: 0)
                .get()
            let port = try #require(await node.node.unicastPorts().values.first)
            let target = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
            try await sender.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: ByteBuffer(bytes: bytes)))
            try await events.wait { $0.datagram == bytes }
            try await sender.close()
        }
    }

    @Test("A static peer is linked without multicast")
    func staticPeers() async throws {
        var configuration = MeshNode.Configuration(mesh: .simulated, interfaces: [.loopbackName], useMulticast: false)
        let listener = TestNode(configuration)
        try await withRunning([listener]) {
            let port = try #require(await listener.node.unicastPorts()[InterfaceID(index: 0, family: .v4)])
            configuration.staticPeers = [try #require(HostPort(host: "127.0.0.1", port: port))]
            let caller = TestNode(configuration)
            try await withRunning([caller]) {
                try await caller.linked(to: listener.id)
                await caller.submit([9])
                try await listener.received([9])
            }
        }
    }

    @Test("A static peer is linked by its name and IPv6 address")
    func staticPeerSix() async throws {
        var configuration = MeshNode.Configuration(mesh: .simulated, interfaces: [.loopbackName], useMulticast: false)
        let listener = TestNode(configuration)
        try await withRunning([listener]) {
            let port = try #require(await listener.node.unicastPorts()[InterfaceID(index: 0, family: .v6)])
            configuration.staticPeers = [try #require(HostPort("[::1]:\(port)"))]
            let caller = TestNode(configuration)
            try await withRunning([caller]) {
                try await caller.linked(to: listener.id)
            }
        }
    }

    @Test("A node that is started again and again finds its peer every time")
    func restarts() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let steady = TestNode(configuration)
        try await withRunning([steady]) {
            for round in 0..<20 {
                let node = TestNode(configuration)
                try await withRunning([node]) {
                    try await node.linked(to: steady.id)
                    try await steady.linked(to: node.id)
                    await node.submit([UInt8(round)])
                    try await steady.received([UInt8(round)])
                }
                #expect(node.outputs.all.linkedNodes == [await steady.id])
            }
        }
        #expect(steady.outputs.all.linkedNodes.count == 20)
        #expect(steady.outputs.all.mostLinksToOneNode == 1)
    }

    @Test("Sockets that fail are opened again and carry envelopes again")
    func socketLoss() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let events = EventLog()
        let (left, right) = (TestNode(configuration, events: events), TestNode(configuration))
        try await withRunning([left, right]) {
            try await left.linked(to: right.id)
            let interface = try #require(await left.node.unicastPorts().keys.first)
            await left.node.failSockets(on: interface)
            try await events.wait { $0.closedInterface != nil }
            try await events.wait(count: 2) { $0.openedInterface != nil }
            await left.submit([7])
            try await right.received([7])
            #expect(await left.node.socketStatistics().reopenings == 1)
        }
    }

    @Test("Nothing is lost while the consumer is away")
    func backPressure() async throws {
        var configuration = try await MeshNode.Configuration.loopback([.unused()])
        let sender = TestNode(configuration)
        configuration.outputLimit = 4
        let events = EventLog()
        let receiver = TestNode(configuration, events: events)
        let bodies = (0..<200).map { [UInt8(truncatingIfNeeded: $0), 1, 2] }
        try await withRunning([sender]) {
            try await withRunning([receiver], followed: false) {
                try await sender.linked(to: receiver.id)
                for body in bodies { await sender.submit(body) }
                try await events.wait(for: "datagram dropped")
                async let _: Void = receiver.follow()
                try await receiver.outputs.wait { $0.bodies.count == bodies.count }
            }
        }
        #expect(Set(receiver.outputs.all.bodies) == Set(bodies))
    }
}

extension String {
    fileprivate static var loopbackName: String { MeshNode.Configuration.loopbackName }
}
