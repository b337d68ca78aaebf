import MeshCore
import MeshSimulation
import Testing

/// What bursts and spam do to a mesh; links here carry any amount, so only the routers' own limits show.
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
        #expect(net.counters.bans == 0)
        #expect(net.counters.drops[.limited] == nil)
        // What is beyond announcedLimit comes by comparing stores, which does not wait for the relays' turns.
        #expect(BarsMesh.isFull || net.counters.drops[.relayLimited] == nil)
    }

    @Test("A mesh that writes as much as a relay may pass on for half a minute parts from nobody")
    func busy() {
        var net = SimLinks(SimOverlay(.line(4), seed: 1), seed: 7)
        let seconds = BarsMesh.isFull ? 30 : 12
        for number in 0..<(350 * seconds) {
            net.submit(.live, body: SimNet.body(number, byteCount: 40), from: number % 4)
            net.run(for: .nanoseconds(2_857_142))
        }
        net.run(for: .seconds(1))
        #expect(net.completeCount(from: 0) == 350 * seconds)
        #expect(net.counters.bans == 0)
        #expect(net.counters.drops[.limited] == nil)
    }

    /// The 99th percentile of what nine honest neighbours of a relay write to each other, while the tenth floods it.
    private func latency(spamPerSecond: Int) throws -> (latency: Duration, counters: SimLinkCounters) {
        let star = Topology(hostCount: 11, segments: (1...10).map { [0, $0] })
        var net = SimLinks(SimOverlay(star, seed: 1), seed: 8)
        var spam = 1_000_000
        func pass(_ net: inout SimLinks) {
            for _ in 0..<(spamPerSecond / 100) {
                spam += 1
                let body = SimNet.body(spam, byteCount: 40)
                net.inject(Envelope(kind: .sealed, hops: 1, life: 360, body: body).encoded(), to: 0, from: 10)
            }
            net.run(for: .milliseconds(10))
        }
        for _ in 0..<300 { pass(&net) }
        net.forgetCounts()
        for number in 0..<180 {
            net.submit(body: SimNet.body(number), from: 1 + number % 9)
            pass(&net)
        }
        for _ in 0..<20 { pass(&net) }
        #expect(net.completeCount(from: 0) == 180)
        return (try #require(net.latency(of: 0.99)), net.counters)
    }

    @Test("One spammer of ten neighbours at a hundred times the rate costs the others less than a fifth")
    func spammer() throws {
        let rate = RouterConfiguration().inboundRate.count
        let calm = try latency(spamPerSecond: 0)
        let flooded = try latency(spamPerSecond: 100 * rate)
        #expect(flooded.counters.drops[.limited] ?? 0 > 90_000)
        #expect(flooded.latency <= calm.latency * 1.2)
    }

    @Test("A spammer is parted from after ten seconds")
    func ban() {
        var net = SimLinks(SimOverlay(.line(2), seed: 1), seed: 9)
        for step in 0..<1_100 {
            for number in 0..<10 {
                let body = SimNet.body(step * 10 + number, byteCount: 40)
                net.inject(Envelope(kind: .live, hops: 1, life: 6, body: body).encoded(), to: 0, from: 1)
            }
            net.run(for: .milliseconds(10))
            if step == 1_000 { #expect(net.counters.bans == 0) }
        }
        // Four seconds pass before the burst of two thousand is used up.
        #expect(net.counters.bans == 0)
        for step in 1_100..<1_500 {
            for number in 0..<10 {
                let body = SimNet.body(step * 10 + number, byteCount: 40)
                net.inject(Envelope(kind: .live, hops: 1, life: 6, body: body).encoded(), to: 0, from: 1)
            }
            net.run(for: .milliseconds(10))
        }
        #expect(net.counters.bans == 1)
    }
}
