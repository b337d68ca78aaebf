import MeshCore
import MeshSimulation
import Testing

/// Tests of separate meshes that join, and of absent authors.
///
/// Links here carry any amount, so only the routers' own limits apply.
@Suite("Bars of partitions", .serialized)
struct BarsPartitionTests {
    /// Makes two meshes scattered over squares, with no link between them.
    private static func halves(of count: Int) -> SimOverlay {
        let parts = [1, 2].map { Topology.randomGeometric(count, degree: 12, seed: $0) }
        let segments = parts[0].segments + parts[1].segments.map { $0.map { $0 + count } }
        return SimOverlay(Topology(hostCount: 2 * count, segments: segments), seed: 1)
    }

    /// Lets both halves write for ten minutes; the author of every tenth message crashes for good a second later.
    private static func write(_ count: Int, in net: inout SimLinks) {
        let size = net.hostNumbers.count / 2
        for number in 0..<count {
            for half in 0...1 {
                let author = half * size + number * 617 % size
                guard net.isOn(author) else { continue }
                net.submit(body: SimNet.body(2 * number + half), from: author)
            }
            net.run(for: .seconds(1))
            if number % 10 == 9 {
                // The hosts of the bridge have the number 0 in their halves and do not crash.
                for half in 0...1 where number * 617 % size != 0 { net.crash(half * size + number * 617 % size) }
            }
            net.run(for: .seconds(600) / count - .seconds(1))
        }
    }

    /// Returns for each envelope the number of running hosts that have it, its author included.
    private static func holderCounts(in net: SimLinks) -> [Int] {
        var counts = net.spreads.map { net.isOn($0.author) ? 1 : 0 }
        for arrival in net.arrivals where net.isOn(arrival.host) { counts[arrival.spread] += 1 }
        return counts
    }

    /// Returns the time from `start` to the last arrival of a first copy.
    private static func settlingTime(in net: SimLinks, since start: MeshInstant) -> Duration {
        let ends = net.arrivals.map { net.spreads[$0.spread].start.advanced(by: $0.latency) }
        return start.duration(to: ends.max() ?? start)
    }

    @Test(
        "Two halves that were apart for ten minutes both have everything five seconds after one link joins them",
        arguments: [0, 0.1]
    )
    func halves(loss: Double) {
        let size = BarsMesh.isFull ? 500 : 60
        var net = SimLinks(Self.halves(of: size), seed: 11, quality: SimLinkQuality(loss: loss))
        Self.write(200, in: &net)
        let live = net.hostNumbers.filter { net.isOn($0) }
        #expect(net.spreads.count >= 350)
        #expect(net.spreads.contains { !net.isOn($0.author) })
        let isApart = Self.holderCounts(in: net).allSatisfy { $0 < live.count }
        #expect(isApart)
        net.connect(0, size)
        let start = net.now
        net.run(for: .seconds(5))
        #expect(Self.holderCounts(in: net) == Array(repeating: live.count, count: net.spreads.count))
        #expect(net.counters.drops[.limited] == nil)
        let settlingTime = Self.settlingTime(in: net, since: start)
        print("FIGURE two halves of \(size) at \(loss * 100) % loss, \(net.spreads.count) messages: \(settlingTime)")
    }
}
