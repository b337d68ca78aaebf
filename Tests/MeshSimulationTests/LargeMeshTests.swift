import MeshCore
import MeshSimulation
import Testing

/// Tests with up to two hundred whole nodes.
@Suite("Large mesh")
struct LargeMeshTests {
    @Test(
        "Whatever the shape, all are one component two seconds after the start",
        arguments: [
            ("line", Topology.line(60)), ("ring", .ring(40)), ("grid", .grid(width: 8, height: 8)),
            ("clique", .clique(50)), ("rgg", .randomGeometric(100, degree: 6, seed: 4)),
        ],
        [0, 0.1]
    )
    func joining(shape: (name: String, topology: Topology), loss: Double) {
        let quality = SegmentQuality(jitter: .microseconds(500), loss: loss)
        var net = SimNet(shape.topology, seed: 5, quality: quality)
        net.startAll()
        #expect(net.run(for: .seconds(2)) { $0.isOneComponent })
    }

    @Test("Two crowds that one pair of hosts joins are one component within fifteen seconds")
    func barbell() throws {
        let result = try BarsMesh.run(.barbell, nodes: 60, messages: 2)
        #expect(try #require(result.timeToOneComponent) <= .seconds(15))
        #expect(result.messages.allSatisfy { $0.isComplete })
    }

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
        #expect(links.allSatisfy { $0 <= MeshConfiguration.simulated.acceptLimit + 4 })
    }
}
