import MeshCore
import Testing

@testable import MeshSimulation

@Suite("A hall that is full at once")
struct HallTests {
    @Test("While many of 200 hosts on one channel write at once, no link times out, and all get everything")
    func burst() {
        let hostCount = 200
        var quality = SegmentQuality(delay: .zero)
        quality.channel = SharedChannel()
        var net = SimNet(.clique(hostCount), seed: 1, quality: quality)
        for host in 0..<hostCount {
            net.start(host)
            net.run(for: .milliseconds(50))
        }
        net.run(for: .seconds(10))
        let isWhole = net.isOneComponent
        #expect(isWhole)
        let timeouts = Self.timeoutCount(in: net)
        var ids: [EnvelopeID?] = []
        for number in 0..<8 {
            ids.append(net.submit(body: SimNet.body(number), from: number * 20))
            net.run(for: .milliseconds(300))
        }
        net.run(for: .seconds(60))
        #expect(Self.timeoutCount(in: net) == timeouts)
        for (number, id) in ids.enumerated() {
            let (counts, wanted) = (net.deliveryCounts(of: id), net.onceEverywhere(but: number * 20))
            #expect(counts == wanted)
        }
    }

    @Test("A hall of 150 hosts that rest takes at most a fiftieth of the channel")
    func idle() throws {
        var settings = ScenarioSettings()
        settings.nodeCount = 150
        let result = try NamedScenario.airIdle.scenario(settings).run()
        let airtime = try #require(result.figures[.airtime])
        print("FIGURE idle airtime of 150 hosts: \(airtime)")
        #expect(airtime < 0.02)
        #expect(result.figures[.connected] == 1)
    }

    @Test("Hosts on several channels that a wire joins reach each other, and the busiest channel counts")
    func channels() throws {
        var settings = ScenarioSettings()
        (settings.nodeCount, settings.messageCount) = (220, 40)
        let scenario = try NamedScenario.air5000.scenario(settings)
        #expect(scenario.topology.segments.map(\.count) == [74, 73, 73, 3] && scenario.topology.isConnected)
        let run = try FinishedRun.of(scenario)
        print("FIGURE three channels: \(run.figures)")
        #expect(run.figures[.delivered] == 1)
        let times = run.net.segments.indices.map { run.net.airtime(of: $0).total }
        #expect(times[3] == .zero && times[..<3].allSatisfy { $0 > .zero })
        let (first, last) = (try #require(run.samples.first), try #require(run.samples.last))
        let shares = zip(last.airtimes, first.airtimes).map { ($0 - $1).total / last.elapsed }
        #expect(run.figures[.airtime] == shares.max())
    }

    /// The number of links that ended because nothing came; rotation ends others.
    private static func timeoutCount(in net: SimNet) -> Int {
        net.hostNumbers.reduce(0) { count, host in
            count + net.hosts[host].reports.count { if case .linkDown(_, _, .timedOut) = $0 { true } else { false } }
        }
    }
}
