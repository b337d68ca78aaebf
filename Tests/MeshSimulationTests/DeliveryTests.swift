import MeshCore
import MeshSimulation
import Testing

/// Tests of the whole engine over simulated datagrams, without sockets and real cryptography.
@Suite("Delivery")
struct DeliveryTests {
    @Test("An envelope crosses a relay between two nodes that never hear each other, in milliseconds")
    func relay() {
        var net = SimNet.linked(.line(3))
        #expect(net.neighbourhoods == [[1], [0, 2], [1]])
        let start = net.now
        let id = net.submit(body: SimNet.body(1), from: 0)
        #expect(net.run(for: .milliseconds(20)) { $0.deliveryCounts(of: id) == [0, 1, 1] })
        #expect(net.deliveries(at: 2).first.map { start.duration(to: $0.time) <= .milliseconds(3) } == true)
        let reports = net.reports(of: 0).filter { if case .linkUp = $0 { false } else { true } }
        #expect(id.map { reports.first == .transmitted($0) } == true)
        net.run(for: .seconds(1))
        #expect(id.map { net.reports(of: 0).suffix(2) == [.transmitted($0), .carried($0)] } == true)
    }

    @Test("An envelope submitted before anybody is near reaches who comes later")
    func beforeAnyNeighbour() {
        var net = SimNet(.line(2), seed: 3)
        net.start(0)
        let id = net.submit(body: SimNet.body(1), from: 0)
        net.run(for: .seconds(60))
        net.start(1)
        #expect(net.run(for: .seconds(5)) { $0.deliveryCounts(of: id) == [0, 1] })
    }

    @Test("A relay hands on what an author sent who has left since")
    func afterTheAuthorLeft() {
        var net = SimNet(.line(3), seed: 4)
        net.start(0)
        net.start(1)
        let id = net.submit(body: SimNet.body(1), from: 0)
        #expect(net.run(for: .seconds(5)) { $0.deliveryCounts(of: id) == [0, 1, 0] })
        net.leave(0)
        net.run(for: .seconds(60))
        net.start(2)
        #expect(net.run(for: .seconds(5)) { $0.deliveryCounts(of: id) == [0, 1, 1] })
    }

    @Test("An own envelope outlives the loss of every link and goes to the next neighbour")
    func ownSurvives() {
        var net = SimNet.linked(.line(2))
        net.crash(1)
        let id = net.submit(body: SimNet.body(1), from: 0)
        net.run(for: .seconds(120))
        #expect(net.snapshot(of: 0)?.links == [])
        #expect(net.snapshot(of: 0)?.storedCount == 1)
        net.start(1)
        #expect(net.run(for: .seconds(90)) { $0.deliveryCounts(of: id) == [0, 1] })
    }

    @Test(
        "Each node gets each envelope exactly once at 30 % loss",
        arguments: [
            ("grid", Topology.grid(width: 6, height: 6)), ("clique", .clique(20)),
            ("rgg", .randomGeometric(50, degree: 7, seed: 5)), ("line", .line(100)),
        ]
    )
    func exactlyOnce(name: String, topology: Topology) {
        var net = SimNet.linked(topology, seed: 6, quality: SegmentQuality(jitter: .milliseconds(1), loss: 0.3))
        // At such a loss a node may still replace a link, as crossed dials end.
        let isWhole = net.run(for: .seconds(5)) { $0.isOneComponent }
        #expect(isWhole)
        let authors = (0..<5).map { $0 * (topology.hostCount - 1) / 4 }
        let ids = authors.map { net.submit(body: SimNet.body($0), from: $0) }
        let isDone = net.run(for: .seconds(60)) { net in
            zip(ids, authors).allSatisfy { net.deliveryCounts(of: $0) == net.onceEverywhere(but: $1) }
        }
        #expect(isDone)
        net.run(for: .seconds(10))
        for (id, author) in zip(ids, authors) {
            #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: author))
        }
    }

    @Test("Envelopes cross duplication, reordering and loss in bursts")
    func faults() {
        var quality = SegmentQuality(jitter: .milliseconds(3))
        quality.burst = BurstLoss(onset: 0.02, recovery: 0.2)
        quality.duplication = 0.2
        quality.reordering = 0.2
        var net = SimNet.linked(.grid(width: 3, height: 3), quality: quality)
        let ids = (0..<50).map { net.submit(body: SimNet.body($0, byteCount: 4_000), from: $0 % 9) }
        let isDone = net.run(for: .seconds(60)) { net in
            ids.enumerated().allSatisfy { net.deliveryCounts(of: $1) == net.onceEverywhere(but: $0 % 9) }
        }
        #expect(isDone)
    }

    @Test("Live envelopes reach who is there, are stored nowhere and never come later")
    func live() {
        var net = SimNet.linked(.line(4))
        net.crash(3)
        let id = net.submit(.live, body: SimNet.body(1), life: 1, from: 0)
        net.run(for: .seconds(2))
        #expect(net.deliveryCounts(of: id) == [0, 1, 1, 0])
        #expect((0..<3).map { net.snapshot(of: $0)?.storedCount } == [0, 0, 0])
        net.start(3)
        net.run(for: .seconds(90))
        #expect(net.neighbourhoods[3] == [2])
        #expect(net.deliveryCounts(of: id) == [0, 1, 1, 0])
    }

    @Test("An envelope whose life has ended is delivered to nobody")
    func expired() {
        var net = SimNet(.line(3), seed: 8)
        net.start(0)
        net.start(1)
        let short = net.submit(body: SimNet.body(1), life: 10, from: 0)
        let long = net.submit(body: SimNet.body(2), life: 100, from: 0)
        net.run(for: .seconds(111))
        #expect(net.deliveryCounts(of: short) == [0, 1, 0])
        #expect((0..<2).map { net.snapshot(of: $0)?.storedCount } == [1, 1])
        net.start(2)
        net.run(for: .seconds(30))
        #expect(net.deliveryCounts(of: short) == [0, 1, 0])
        #expect(net.deliveryCounts(of: long) == [0, 1, 1])
    }

    @Test("A release removes the message everywhere, a wrong one nowhere")
    func release() {
        var net = SimNet.linked(.grid(width: 3, height: 3))
        let deliveryProof = [UInt8](repeating: 5, count: 16)
        let hash = NullCryptography().proofHash(deliveryProof: deliveryProof)
        net.submit(.sealed, body: hash + SimNet.body(1), from: 0)
        net.run(for: .seconds(1))
        func storedCounts() -> [Int?] { net.hostNumbers.map { net.snapshot(of: $0)?.storedCount } }
        #expect(storedCounts() == Array(repeating: 1, count: 9))
        net.submit(.release, body: [UInt8](repeating: 6, count: 16), from: 8)
        net.run(for: .seconds(1))
        #expect(storedCounts() == Array(repeating: 2, count: 9))
        net.submit(.release, body: deliveryProof, from: 8)
        net.run(for: .seconds(1))
        // Only the two releases remain.
        #expect(storedCounts() == Array(repeating: 2, count: 9))
        #expect(net.hostNumbers.map { (net.snapshot(of: $0)?.storedByteCount ?? 0) } == Array(repeating: 38, count: 9))
    }

    @Test("A node with another mesh key gets no link")
    func otherMesh() {
        var net = SimNet(seed: 9)
        let segment = net.addSegment()
        for key in [1, 1, 2] as [UInt64] {
            net.attach(net.addHost(cryptography: NullCryptography(meshKey: key)), to: segment)
        }
        net.startAll()
        net.run(for: .seconds(20))
        #expect(net.neighbourhoods == [[1], [0], []])
        #expect((net.snapshot(of: 0)?.drops[.handshakeRefused] ?? 0) > 0)
    }

    @Test("Where no multicast goes, a typed-in address makes the link")
    func staticPeer() throws {
        var quality = SegmentQuality()
        quality.carriesMulticast = false
        var net = SimNet(.clique(2), seed: 10, quality: quality)
        net.startAll()
        net.run(for: .seconds(10))
        #expect(net.neighbourhoods == [[], []])
        net.send(.addStaticPeer(try #require(net.endpoint(of: 1, on: 0))), to: 0)
        #expect(net.run(for: .seconds(5)) { $0.neighbourhoods == [[1], [0]] })
    }

    @Test("Who leaves says so: its neighbours end the links at once and dial nobody in vain")
    func leaving() {
        var net = SimNet.linked(.line(3))
        net.leave(1)
        net.run(for: .milliseconds(20))
        #expect(net.neighbourhoods == [[], [], []])
        #expect(net.snapshot(of: 1) == nil)
        #expect(
            [0, 2].allSatisfy { host in
                net.reports(of: host).contains { if case .linkDown(_, _, .left) = $0 { true } else { false } }
            }
        )
    }
}
