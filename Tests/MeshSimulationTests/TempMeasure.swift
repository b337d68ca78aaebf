import MeshCore
import MeshSimulation
import Testing

@Suite("Temp")
struct TempMeasure {
    @Test func measure() {
        let clock = ContinuousClock()
        for (name, topology) in [("rgg200", Topology.randomGeometric(200, degree: 8, seed: 77)), ("clique100", .clique(100)), ("line100", .line(100))] {
            var start = clock.now
            var net = SimNet(topology, seed: 1)
            net.startAll()
            let ok = net.run(for: .seconds(10)) { $0.isOneComponent }
            let at = net.now
            net.run(for: .seconds(5))
            var e = net.eventCount
            var t = (clock.now - start) / .seconds(1)
            print(name, "linked", ok, at.nanoseconds / 1_000_000, "ms", "events", e, "time", t, "per s", Double(e) / t, "links", net.neighbourhoods.map(\.count).reduce(0, +))
            start = clock.now
            let d0 = net.datagramCount
            for number in 0..<100 {
                net.submit(body: SimNet.body(number), from: number % 100)
                net.run(for: .milliseconds(10))
            }
            net.run(for: .seconds(3))
            t = (clock.now - start) / .seconds(1)
            let n = net.hostNumbers.count
            print("  flood: events", net.eventCount - e, "time", t, "per s", Double(net.eventCount - e) / t, "datagrams per node and envelope", Double(net.datagramCount - d0) / Double(100 * n))
            let covered = net.hostNumbers.map { net.deliveries(at: $0).count }.reduce(0, +)
            print("  covered", covered, 100 * (n - 1), "drops", net.hostNumbers.compactMap { net.snapshot(of: $0)?.drops }.reduce(into: [DropReason: Int]()) { $0.merge($1, uniquingKeysWith: +) }.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" })
            e = net.eventCount
            let d1 = net.datagramCount
            start = clock.now
            net.run(for: .seconds(60))
            print("  idle: datagrams per node and s", Double(net.datagramCount - d1) / 60 / Double(n), "events/s wall", Double(net.eventCount - e) / ((clock.now - start) / .seconds(1)))
        }
    }
}
