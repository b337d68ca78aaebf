import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Probes in a crowd")
struct ProbeReachTests {
    @Test("A probe reaches nearly all hosts of a crowded segment, which the links alone do not do")
    func reach() {
        var quality = SegmentQuality(delay: .zero)
        quality.channel = SharedChannel()
        var net = SimNet(.clique(200), seed: 1, quality: quality, configuration: .simulated)
        for host in 0..<200 {
            net.start(host)
            net.run(for: .milliseconds(100))
        }
        net.run(for: .seconds(10))
        net.watch.deliveries = []
        for number in 1...4 {
            net.send(.openPath(hello: [UInt8](repeating: UInt8(number), count: 200)), to: number * 7)
            net.run(for: .seconds(1))
            let reached = Set(net.watch.takeDeliveries().map(\.host))
            print("FIGURE a probe in a crowd of 200 reached \(reached.count)")
            #expect(reached.count >= 190)
        }
    }
}
