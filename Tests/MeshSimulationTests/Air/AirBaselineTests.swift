import MeshCore
import Testing

@testable import MeshSimulation

/// The airtime of a hall with one channel: the figures that a mesh for crowds has to improve.
@Suite("Airtime of a crowd on one channel")
struct AirBaselineTests {
    private static let hostCount = 50

    private static func linkDatagramCount(of net: SimNet) -> Int {
        net.hostNumbers.reduce(0) { $0 + net.sentTraffic(of: $1).linkDatagramCount }
    }

    /// Most of the cost is not the copies: every other link carries an announcement, and an acknowledgement of it.
    @Test("A crowd links and is quiet, and an envelope to all costs at most sixteen times the copies that it needs")
    func flood() throws {
        var quality = SegmentQuality(delay: .zero)
        let channel = SharedChannel()
        quality.channel = channel
        var net = SimNet(.clique(Self.hostCount), seed: 1, quality: quality)
        net.startAll()
        net.run(for: .seconds(60))
        let isWhole = net.isOneComponent
        #expect(isWhole)
        // The first envelopes form the tree.
        for number in 0..<20 {
            net.submit(body: SimNet.body(10_000 + number), from: number * Self.hostCount / 20)
            net.run(for: .seconds(1))
        }
        net.run(for: .seconds(20))
        let time = Duration.seconds(10)
        let linked = net.airtime(of: 0)
        net.run(for: time)
        let idle = net.airtime(of: 0) - linked
        let count = 20
        let before = Self.linkDatagramCount(of: net)
        let authors = (0..<count).map { $0 * Self.hostCount / count }
        var ids: [EnvelopeID?] = []
        for author in authors {
            ids.append(net.submit(body: SimNet.body(author), from: author))
            net.run(for: time / count)
        }
        let datagramCount = (Self.linkDatagramCount(of: net) - before) / count
        let spent = (net.airtime(of: 0) - linked - idle).total - idle.total
        net.run(for: .seconds(10))
        for (id, author) in zip(ids, authors) {
            let (counts, wanted) = (net.deliveryCounts(of: id), net.onceEverywhere(but: author))
            #expect(counts == wanted)
        }
        // Each copy takes the channel twice, and a ninth more for what is lost.
        let least = channel.unicastTime(byteCount: 290) * (2 * (Self.hostCount - 1)) * (1 / 0.9)
        let cost = spent / count
        #expect(cost > least && cost < least * 16)
        #expect(idle.total / time < 0.05)
        print("FIGURE idle airtime of \(Self.hostCount) hosts: \(idle.total / time)")
        print("FIGURE an envelope to all: \(datagramCount) datagrams, \(cost), \(cost / least) times its copies alone")
        print("FIGURE messages a minute with a receipt and a release each: \(Duration.seconds(60) / (cost * 3))")
    }
}
