import MeshCore
import MeshSimulation
import Testing

/// Shows two hundred whole nodes; the figures of time are printed, never asserted.
@Suite("Large mesh")
struct LargeMeshTests {
    private static func run(seed: UInt64) -> SimNet {
        let topology = Topology.randomGeometric(200, degree: 8, seed: 77)
        var net = SimNet(topology, seed: seed, quality: SegmentQuality(jitter: .microseconds(500), loss: 0.02))
        net.startAll()
        _ = net.run(for: .seconds(10)) { $0.isOneComponent }
        for number in 0..<4 { net.submit(body: SimNet.body(number), from: number * 50) }
        net.run(for: .seconds(2))
        return net
    }

    @Test("Two hundred nodes all get every envelope once, and a run repeats itself")
    func coverage() {
        let clock = ContinuousClock()
        let start = clock.now
        let net = Self.run(seed: 1)
        let elapsed = clock.now - start
        print("200 nodes: \(net.eventCount) events in \(elapsed), \(Double(net.eventCount) / (elapsed / .seconds(1))) a second")
        #expect(net.isOneComponent)
        for number in 0..<4 {
            let id = NullCryptography().envelopeID(kindByte: 0x10, body: SimNet.body(number)[...])
            #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: number * 50))
        }
        print("trace \(net.traceHash)")
    }
}
