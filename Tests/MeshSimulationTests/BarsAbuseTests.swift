import MeshCore
import MeshSimulation
import Testing

/// Tests of a mesh under bursts and spam; links here carry any amount, so only the routers' own limits apply.
@Suite("Bars under load", .serialized)
struct BarsAbuseTests {
    @Test(
        "A thousand messages in a row go through a line of relays without loss, at once or soon",
        arguments: [0, 0.1]
    )
    func burst(loss: Double) {
        var net = SimLinks(SimOverlay(.line(5), seed: 1), seed: 6, quality: SimLinkQuality(loss: loss))
        let count = BarsMesh.isFull ? 10_000 : 1_500
        for number in 0..<count { net.submit(body: SimNet.body(number, byteCount: 300), from: 0) }
        net.run(for: .milliseconds(2_500 * count / 1_000))
        #expect(net.completeCount(from: 0) == count)
        #expect(net.counters.drops[.limited] == nil)
        // The envelopes beyond announcedLimit arrive by the comparison of stores, which does not wait for the queues.
        #expect(BarsMesh.isFull || net.counters.drops[.relayLimited] == nil)
    }

    @Test("A mesh that writes as much as a relay may pass on for half a minute loses nothing")
    func busy() {
        var net = SimLinks(SimOverlay(.line(4), seed: 1), seed: 7)
        let seconds = BarsMesh.isFull ? 30 : 12
        for number in 0..<(350 * seconds) {
            net.submit(.live, body: SimNet.body(number, byteCount: 40), from: number % 4)
            net.run(for: .nanoseconds(2_857_142))
        }
        net.run(for: .seconds(1))
        #expect(net.completeCount(from: 0) == 350 * seconds)
        #expect(net.counters.drops[.limited] == nil)
    }

    /// Lets nine honest neighbours of a relay write to each other while the tenth floods it.
    @Test("One spammer of ten neighbours at a hundred times the rate costs the others less than a fifth")
    func spammer() throws {
        let result = try BarsMesh.run(.spammer, nodes: 11, seed: 8, messages: 180)
        let calm = try #require(result.statisticsWithoutSpam)
        #expect(result.completeCount == 180)
        #expect([calm.arrivalCount, calm.missedCount] == [1_800, 0])
        #expect(calm.drops[.limited] == nil)
        #expect(result.statistics.drops[.limited] ?? 0 > 220_000)
        let latencies = try [result.statistics, calm].map { try #require($0.latency).percentile99 }
        #expect(latencies[0] <= latencies[1] * 1.2)
    }
}
