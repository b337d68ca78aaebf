import MeshSimulation
import Testing

@Suite("Topologies")
struct TopologyTests {
    @Test("Simple shapes have the segments they should")
    func shapes() {
        #expect(Topology.line(3).segments == [[0, 1], [1, 2]])
        #expect(Topology.ring(3).segments == [[0, 1], [1, 2], [2, 0]])
        #expect(Topology.grid(width: 2, height: 2).segments == [[0, 1], [0, 2], [1, 3], [2, 3]])
        #expect(Topology.clique(3).segments == [[0, 1, 2]])
        #expect(Topology.barbell(2).segments == [[0, 1], [2, 3], [1, 2]])
    }

    @Test("A random geometric mesh is in one piece, near its degree, and follows from its seed", arguments: [1, 2, 3])
    func randomGeometric(seed: UInt64) {
        let topology = Topology.randomGeometric(200, degree: 8, seed: seed)
        #expect(topology.isConnected)
        #expect((700...1_400).contains(topology.segments.count))
        #expect(topology == Topology.randomGeometric(200, degree: 8, seed: seed))
        #expect(topology != Topology.randomGeometric(200, degree: 8, seed: seed + 100))
    }

    @Test("A mesh in pieces is told from one in one piece")
    func connection() {
        #expect(!Topology(hostCount: 4, segments: [[0, 1], [2, 3]]).isConnected)
        #expect(Topology(hostCount: 4, segments: [[0, 1], [2, 3], [3, 0]]).isConnected)
    }
}
