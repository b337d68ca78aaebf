import MeshCore
import MeshSimulation
import Testing

@Suite("Bars", .serialized)
struct BarsTests {
    @Test("probe", arguments: [0, 0.1, 0.3])
    func probe(loss: Double) {
        let clock = ContinuousClock()
        let t0 = clock.now
        print("degree", BarsMesh.thousand.meanDegree, clock.now - t0)
        var net = SimLinks.warm(BarsMesh.thousand, seed: 1, loss: loss)
        let t1 = clock.now
        let e1 = net.eventCount
        print("warm", t1 - t0, e1)
        let first = net.spreads.count
        net.write(20, every: .milliseconds(300))
        net.run(for: .seconds(1))
        let t2 = clock.now
        print(loss, net.counters, net.counters.transmissionsPerArrival, net.counters.controlPerArrival, net.latency(of: 0.5) as Any, net.latency(of: 0.99) as Any, net.incomplete(from: first), t2 - t1, net.eventCount - e1)
    }
}
