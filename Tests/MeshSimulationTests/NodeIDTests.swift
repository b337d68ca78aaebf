import MeshCore
import MeshSimulation
import Testing

/// Tests that the node id in datagrams changes with time, and that nothing is lost by the change.
@Suite("Node ids that change")
struct NodeIDTests {
    /// Returns all runs of eight bytes in any of these parts.
    private static func runs(_ parts: [ArraySlice<UInt8>]) -> Set<[UInt8]> {
        var runs: Set<[UInt8]> = []
        for part in parts where part.count >= 8 {
            for start in part.startIndex...(part.endIndex - 8) { runs.insert(Array(part[start..<(start + 8)])) }
        }
        return runs
    }

    @Test("Two starts of a node share no eight bytes in beacons or heads of packets")
    func starts() {
        let starts: [(seed: UInt64, port: UInt16)] = [(1, 40_000), (2, 50_000)]
        let seen = starts.map { start -> Set<[UInt8]> in
            var pair = EnginePair(seed: start.seed, firstPort: start.port)
            pair.run(for: .seconds(30))
            pair.handle(.submit(kind: .room, body: [UInt8](repeating: 7, count: 40), life: 360), by: 0)
            pair.run(for: .seconds(30))
            let visible = pair.sent.filter { $0.sender == 0 }.map(\.visible)
            #expect(visible.contains { $0.first == 0x40 })
            return Self.runs(visible)
        }
        #expect(seen[0].count > 50)
        #expect(seen[0].isDisjoint(with: seen[1]))
    }

    @Test("Beacons of a node share no eight bytes with those of its ids before, once its neighbours' have changed too")
    func periods() {
        var pair = EnginePair(seed: 3, firstPort: 40_000)
        pair.run(for: .seconds(6 * 3_600))
        // The first eight bytes of a beacon, which include the port, reveal no more than the address does.
        let beacons = pair.sent.filter { $0.sender == 0 && $0.isMulticast }
        let periods = beacons.reduce(into: [(id: [UInt8], beacons: [ArraySlice<UInt8>])]()) { periods, beacon in
            let id = Array(beacon.bytes[8..<16])
            if periods.last?.id != id, !periods.contains(where: { $0.id == id }) { periods.append((id, [])) }
            if let index = periods.lastIndex(where: { $0.id == id }) {
                periods[index].beacons.append(beacon.visible.dropFirst(8))
            }
        }
        #expect(periods.count >= 6)
        for early in periods.indices {
            for late in periods.indices where late >= early + 3 {
                let common = Self.runs(periods[early].beacons).intersection(Self.runs(periods[late].beacons))
                #expect(common == [])
            }
        }
    }

    @Test("While a path is in use both its ends keep their names, and change them once it is not")
    func heldBack() {
        var pair = EnginePair(seed: 4, firstPort: 40_000)
        pair.run(for: .seconds(10))
        let names = pair.engines.map(\.nodeID)
        let answerer = PathLabel(2)
        let opener = pair.openPath(answerer: answerer)
        for _ in 0..<(100 * 2) {
            pair.handle(.sendOnPath(PathMessage(to: answerer, hops: 0, payload: [3])), by: 0)
            pair.handle(.sendOnPath(PathMessage(to: opener, hops: 0, payload: [4])), by: 1)
            pair.run(for: .seconds(30))
        }
        #expect(pair.engines.map(\.nodeID) == names)
        // The node forgets labels after ten minutes, and then needs time until its next check.
        pair.run(for: .seconds(631))
        #expect(zip(pair.engines.map(\.nodeID), names).allSatisfy { $0 != $1 })
    }

    @Test("A link is shown under the present id of its node")
    func linkOfRenamedNode() {
        var pair = EnginePair(seed: 7, firstPort: 40_000)
        let names = pair.engines.map(\.nodeID)
        pair.run(for: .seconds(7_260))
        #expect(zip(pair.engines.map(\.nodeID), names).allSatisfy { $0 != $1 })
        #expect(pair.engines[0].snapshot.links.map(\.node) == [pair.engines[1].nodeID])
        #expect(pair.engines[1].snapshot.links.map(\.node) == [pair.engines[0].nodeID])
    }

    @Test("No path makes a name last longer than two hours, and the path outlasts the change")
    func bound() {
        var pair = EnginePair(seed: 5, firstPort: 40_000)
        let names = pair.engines.map(\.nodeID)
        pair.run(for: .seconds(10))
        let answerer = PathLabel(2)
        let opener = pair.openPath(answerer: answerer)
        let count = 7_200 / 30 + 10
        for _ in 0..<count {
            pair.handle(.sendOnPath(PathMessage(to: answerer, hops: 0, payload: [3])), by: 0)
            pair.handle(.sendOnPath(PathMessage(to: opener, hops: 0, payload: [4])), by: 1)
            pair.run(for: .seconds(30))
        }
        #expect(zip(pair.engines.map(\.nodeID), names).allSatisfy { $0 != $1 })
        let arrivals = pair.outputs.map { outputs in
            outputs.count { if case .pathMessage = $0 { true } else { false } }
        }
        #expect(arrivals == [count + 1, count])
    }

    @Test("Messages that flow while all nodes change their names arrive once")
    func messages() {
        var configuration = MeshConfiguration.simulated
        configuration.discovery.nodeIDLife = .seconds(30) ... .seconds(60)
        let quality = SegmentQuality(loss: 0.05)
        var net = SimNet.linked(.grid(width: 3, height: 3), seed: 6, quality: quality, configuration: configuration)
        let names = net.hostNumbers.map { net.snapshot(of: $0)?.nodeID }
        var ids: [EnvelopeID?] = []
        for number in 0..<1_800 {
            ids.append(net.submit(body: SimNet.body(number), from: number % 9))
            net.run(for: .milliseconds(100))
        }
        net.run(for: .seconds(10))
        #expect(zip(names, net.hostNumbers).allSatisfy { $0 != net.snapshot(of: $1)?.nodeID })
        let isOnce = ids.enumerated().allSatisfy { number, id in
            net.deliveryCounts(of: id) == net.onceEverywhere(but: number % 9)
        }
        #expect(isOnce)
        let ends = net.hostNumbers.map { net.snapshot(of: $0)?.counters.linksEnded ?? [:] }
        #expect(ends.allSatisfy { $0 == [:] })
    }
}
