import MeshCore
import MeshSimulation
import Testing

/// Shows two hundred whole nodes; times are never asserted.
@Suite("Large mesh")
struct LargeMeshTests {
    @Test("Two hundred nodes become one component, and all get every envelope once")
    func coverage() {
        let topology = Topology.randomGeometric(200, degree: 8, seed: 77)
        var net = SimNet(topology, seed: 1, quality: SegmentQuality(jitter: .microseconds(500), loss: 0.02))
        net.startAll()
        #expect(net.run(for: .seconds(10)) { $0.isOneComponent })
        let ids = (0..<4).map { net.submit(body: SimNet.body($0), from: $0 * 50) }
        net.run(for: .seconds(2))
        for (number, id) in ids.enumerated() {
            #expect(net.deliveryCounts(of: id) == net.onceEverywhere(but: number * 50))
        }
        let links = net.neighbourhoods.map(\.count)
        #expect(links.allSatisfy { $0 <= MeshConfiguration().acceptLimit + 4 })
    }
}
