import MeshCore
import MeshSimulation
import NIOCore
import Synchronization
import Testing

@testable import MeshTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tests with real sockets on loopback, and with datagrams that the system refuses there.
@Suite("Sending", .timeLimit(.minutes(30)))
struct SendingTests {
    private static let loopback = InterfaceID(index: 0, family: .v4)

    private var quiet: MeshNode.Configuration {
        MeshNode.Configuration(mesh: .simulated, interfaces: [MeshNode.Configuration.loopbackName], useMulticast: false)
    }

    @Test("A train leaves in one call where the system cuts, and arrives as the datagrams it was made of")
    func train() async throws {
        let events = EventLog()
        let node = TestNode(quiet, events: events)
        try await withRunning([node]) {
            let train = try await Self.train(to: node)
            let sender = try Self.sender()
            let outcome = sender.send(train, to: Self.address(of: train))
            #expect(outcome.takenCount == train.datagrams.count)
            #expect(outcome.refusal == nil)
            #if os(Linux)
                #expect(outcome == DatagramSender.Outcome(takenCount: train.datagrams.count, callCount: 1))
            #endif
            try await events.wait(count: train.datagrams.count) { $0.datagram != nil }
            #expect(events.events.all.compactMap(\.datagram) == train.datagrams)
        }
    }

    #if os(Linux)
        @Test("Where the system refuses to cut, the train leaves singly, and nothing is left to be cut again")
        func refusedSegmentation() async throws {
            let events = EventLog()
            let node = TestNode(quiet, events: events)
            try await withRunning([node]) {
                let train = try await Self.train(to: node)
                // The system cannot split a buffer into datagrams on a socket without checksums.
                let noCheck = SocketOption(level: SOL_SOCKET, name: SO_NO_CHECK)
                let sender = try Self.sender { try $0.set(noCheck, to: CInt(1)) }
                let address = Self.address(of: train)
                let count = train.datagrams.count
                let first = DatagramSender.Outcome(
                    takenCount: count,
                    callCount: 1 + count,
                    segmentationRefusal: EINVAL
                )
                #expect(sender.send(train, to: address) == first)
                #expect(!sender.usesSegmentation)
                #expect(
                    sender.send(train, to: address) == DatagramSender.Outcome(takenCount: count, callCount: count)
                )
                try await events.wait(count: 2 * count) { $0.datagram != nil }
            }
        }
    #endif

    @Test("An address that the system refuses costs its datagrams, not the socket and not the cutting")
    func refusedAddress() async throws {
        let events = EventLog()
        let node = TestNode(quiet, events: events)
        try await withRunning([node]) {
            let sender = try Self.sender()
            let train = try await Self.train(to: node)
            // A socket must request the right to broadcast.
            let broadcast = SocketAddress(
                try #require(IPAddress(bytes: [255, 255, 255, 255])),
                port: 9,
                onInterface: 0
            )
            let outcome = sender.send(train, to: broadcast)
            #expect(outcome.takenCount == 0)
            #expect(outcome.refusal == EACCES)
            #expect(sender.usesSegmentation == SegmentControl.isKnown)
            #expect(sender.send([9, 9, 9], to: Self.address(of: train)).takenCount == 1)
            try await events.wait { $0.datagram == [9, 9, 9] }
        }
    }

    @Test("A static peer that cannot be reached takes nothing from the links to others")
    func unreachableStaticPeer() async throws {
        let listener = TestNode(quiet)
        try await withRunning([listener]) {
            var configuration = quiet
            let port = try #require(await listener.node.unicastPorts()[Self.loopback])
            configuration.staticPeers = [
                try #require(HostPort("255.255.255.255:9")), try #require(HostPort(host: "127.0.0.1", port: port)),
            ]
            let events = EventLog()
            let caller = TestNode(configuration, events: events)
            try await withRunning([caller]) {
                try await caller.linked(to: listener.id)
                // The first announcement follows the opening of the sockets, the second the refusal of a datagram.
                try await events.wait(count: 2) { $0.openedInterface == Self.loopback }
                await caller.submit([4])
                try await listener.received([4])
                #expect(caller.outputs.all.lostNodes == [])
                #expect(await caller.node.socketStatistics().reopenings == 0)
                #expect(await caller.node.socketStatistics().unsendable > 0)
            }
        }
    }

    @Test("A static peer whose name means another address by now is found there")
    func movedStaticPeer() async throws {
        let listener = TestNode(quiet)
        try await withRunning([listener]) {
            let port = try #require(await listener.node.unicastPorts()[Self.loopback])
            let address = try #require(IPAddress(bytes: [127, 0, 0, 1]))
            let place = Mutex(Endpoint(interface: Self.loopback, address: address, port: 9))
            let asked = Recorder<HostPort>()
            var configuration = quiet
            configuration.staticPeers = [try #require(HostPort("roaming.example:9"))]
            let caller = TestNode(configuration) { name in
                asked.append([name])
                return .success(place.withLock { $0 })
            }
            try await withRunning([caller]) {
                place.withLock { $0.port = port }
                await caller.node.lookUpStaticPeers()
                try await caller.linked(to: listener.id)
                // The address of a linked peer is known, so the node does not look up its name again.
                await caller.node.lookUpStaticPeers()
            }
            #expect(asked.all == [configuration.staticPeers[0], configuration.staticPeers[0]])
        }
    }

    @Test("Datagrams of one turn leave in fewer calls than there are")
    func fewerCalls() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let (left, right) = (TestNode(configuration), TestNode(configuration))
        let body = [UInt8](repeating: 7, count: 16_000)
        try await withRunning([left, right]) {
            try await left.linked(to: right.id)
            for number in 0..<16 { await left.submit([UInt8(number)] + body) }
            try await right.outputs.wait { $0.bodies.count == 16 }
            let statistics = await left.node.socketStatistics()
            #if os(Linux)
                #expect(statistics.sendCalls < statistics.sent)
            #else
                #expect(statistics.sendCalls >= statistics.sent)
            #endif
        }
    }

    /// Makes five long datagrams and a shorter one, whose first bytes begin no message of a link.
    private static func train(to node: TestNode) async throws -> DatagramTrain {
        let port = try #require(await node.node.unicastPorts()[loopback])
        let address = try #require(IPAddress(bytes: [127, 0, 0, 1]))
        let endpoint = Endpoint(interface: loopback, address: address, port: port)
        let datagrams = [1_232, 1_232, 1_232, 1_232, 1_232, 77].enumerated().map { number, count in
            [UInt8](repeating: 0x80 + UInt8(number), count: count)
        }
        var train = DatagramTrain(datagrams[0], to: endpoint)
        for datagram in datagrams.dropFirst() {
            let isCoupled = train.couple(datagram)
            #expect(isCoupled)
        }
        return train
    }

    private static func address(of train: DatagramTrain) -> SocketAddress {
        SocketAddress(train.endpoint.address, port: train.endpoint.port, onInterface: 0)
    }

    private static func sender(_ prepare: (SystemSocket) throws -> Void = { _ in }) throws -> DatagramSender {
        let socket = try UnicastSockets.openRouted(.v4, port: 0, device: nil)
        try prepare(socket)
        return try DatagramSender(descriptor: socket.duplicate())
    }
}
