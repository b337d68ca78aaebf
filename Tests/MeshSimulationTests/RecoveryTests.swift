import MeshCore
import MeshSimulation
import Testing

/// Tests that nodes recover messages lost with links and nodes, without sockets and real cryptography.
@Suite("Recovery")
struct RecoveryTests {
    @Test("A relay that crashes and comes back in the middle loses none of a thousand envelopes", arguments: [1, 2])
    func relayCrash(seed: UInt64) {
        let sizes = [256, 512, 1_024, 2_048, 16_384]
        var net = SimNet.linked(.line(3), seed: seed)
        var ids: [EnvelopeID?] = []
        for number in 0..<1_000 {
            // Most messages are small; every fiftieth is large.
            let size = sizes[number % 50 == 0 ? 4 : number % 4]
            ids.append(net.submit(body: SimNet.body(number, byteCount: size - 4), from: 0))
            if number % 4 == 0 { net.run(for: .milliseconds(1)) }
            if number == 400 { net.crash(1) }
            if number == 600 { net.start(1) }
        }
        #expect(net.deliveries(at: 2).count < 1_000)
        #expect(net.run(for: .seconds(120)) { $0.deliveries(at: 2).count == 1_000 })
        net.run(for: .seconds(20))
        #expect(
            ids.map { id in id.map { net.deliveryCount(of: $0, at: 2) } ?? -1 } == Array(repeating: 1, count: 1_000)
        )
    }

    @Test("Far more than a link's lanes hold arrives whole, though the first go was refused", arguments: [0, 0.2])
    func fullLanes(loss: Double) {
        var net = SimNet.linked(.line(3), quality: SegmentQuality(jitter: .milliseconds(1), loss: loss))
        let ids = (0..<100).map { net.submit(body: SimNet.body($0, byteCount: 16_380), from: 0) }
        #expect((net.snapshot(of: 0)?.drops[.laneFull] ?? 0) > 0)
        #expect(net.run(for: .seconds(60)) { $0.deliveries(at: 2).count == 100 })
        net.run(for: .seconds(10))
        #expect(ids.map { net.deliveryCounts(of: $0) } == Array(repeating: [0, 1, 1], count: 100))
    }

    @Test("Nodes that change their names keep their links, and mail goes on")
    func renaming() {
        var configuration = MeshConfiguration.simulated
        configuration.discovery.nodeIDLife = .seconds(30) ... .seconds(60)
        let quality = SegmentQuality(loss: 0.05)
        var net = SimNet.linked(.grid(width: 3, height: 3), quality: quality, configuration: configuration)
        let names = net.hostNumbers.map { net.snapshot(of: $0)?.nodeID }
        let linkCounts = net.hostNumbers.map { net.snapshot(of: $0)?.links.count }
        net.run(for: .seconds(300))
        #expect(zip(names, net.hostNumbers).allSatisfy { $0 != net.snapshot(of: $1)?.nodeID })
        #expect(linkCounts == net.hostNumbers.map { net.snapshot(of: $0)?.links.count })
        let id = net.submit(body: SimNet.body(1), from: 0)
        net.run(for: .seconds(1))
        #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: 0))
    }

    @Test("Two halves that were apart know everything once one bridge joins them")
    func partition() {
        let halves = [Topology.grid(width: 3, height: 3).segments, Topology.grid(width: 3, height: 3).segments]
        let segments = halves[0] + halves[1].map { $0.map { $0 + 9 } }
        var net = SimNet(Topology(hostCount: 18, segments: segments), seed: 2)
        net.startAll()
        net.run(for: .seconds(5))
        let ids = (0..<100).map { number in
            net.submit(body: SimNet.body(number, byteCount: 500), from: number % 18)
        }
        net.run(for: .seconds(60))
        #expect(net.hostNumbers.allSatisfy { net.snapshot(of: $0)?.storedCount ?? 0 < 100 })
        let bridge = net.addSegment()
        net.attach(8, to: bridge)
        net.attach(9, to: bridge)
        let isDone = net.run(for: .seconds(5)) { net in
            ids.enumerated().allSatisfy { net.deliveryCounts(of: $1) == net.onceEverywhere(but: $0 % 18) }
        }
        #expect(isDone)
    }

    @Test("A node that moves from one segment to another takes its mail along")
    func carrier() {
        var net = SimNet(Topology(hostCount: 3, segments: [[0, 1], [2]]), seed: 3)
        net.startAll()
        let id = net.submit(body: SimNet.body(1), from: 0)
        net.run(for: .seconds(5))
        net.detach(1, from: 0)
        net.run(for: .seconds(60))
        net.attach(1, to: 1)
        #expect(net.run(for: .seconds(5)) { $0.deliveryCounts(of: id) == [0, 1, 1] })
    }

    @Test("The mail of an author who is gone for good still arrives")
    func authorGone() {
        var net = SimNet(Topology(hostCount: 4, segments: [[0, 1], [1, 2], [3]]), seed: 5)
        net.startAll()
        net.run(for: .seconds(5))
        let ids = (0..<20).map { net.submit(body: SimNet.body($0), life: 60_000, from: 0) }
        net.run(for: .seconds(1))
        net.crash(0)
        net.run(for: .seconds(3_600))
        net.crash(1)
        net.attach(3, to: 1)
        #expect(net.run(for: .seconds(5)) { net in ids.allSatisfy { net.deliveryCounts(of: $0) == [0, 1, 1, 1] } })
    }

    @Test("A small store beside a large one comes to rest")
    func differingStores() {
        var small = MeshConfiguration.simulated
        small.store.envelopeCount = 10
        var net = SimNet(seed: 4)
        let segment = net.addSegment()
        net.attach(net.addHost(), to: segment)
        net.attach(net.addHost(configuration: small), to: segment)
        net.start(0)
        for number in 0..<1_000 { net.submit(body: SimNet.body(number), life: 60_000, from: 0) }
        net.start(1)
        net.run(for: .seconds(60))
        #expect((1...10).contains(net.snapshot(of: 1)?.storedCount ?? 0))
        #expect(net.deliveries(at: 1).count == 1_000)
        let before = net.datagramByteCount
        net.run(for: .seconds(600))
        #expect(net.deliveries(at: 1).count == 1_000)
        // Two idle nodes send less than 100 bytes a second each in any case, beacons included.
        #expect(net.datagramByteCount - before < 2 * 600 * 100)
    }

    @Test("A node with everything at its limits keeps its own mail")
    func ownUnderPressure() {
        var small = MeshConfiguration.simulated
        small.store.byteCount = 20_000
        small.store.envelopeCount = 30
        var net = SimNet.linked(.line(2), configuration: small)
        let own = (0..<10).map { net.submit(body: SimNet.body($0), from: 0) }
        net.crash(1)
        net.run(for: .seconds(60))
        net.start(1)
        for number in 100..<300 { net.submit(body: SimNet.body(number), life: 60_000, from: 1) }
        net.run(for: .seconds(60))
        #expect((11...40).contains(net.snapshot(of: 0)?.storedCount ?? 0))
        net.crash(1)
        net.run(for: .seconds(60))
        net.start(1)
        let isDone = net.run(for: .seconds(90)) { net in
            own.allSatisfy { id in id.map { net.deliveryCount(of: $0, at: 1) } ?? 0 >= 1 }
        }
        #expect(isDone)
    }
}
