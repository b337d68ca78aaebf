import MeshCore
import Testing

@testable import MeshSimulation

/// Tests of meshes in which more mail is alive than one store holds.
@Suite("Load beyond one store")
struct ShelfLoadTests {
    /// Runs a mesh of 60 hosts whose stores hold 200 envelopes, until `load` times as many have been written.
    private static func run(load: Int, seed: UInt64) -> SimLinks {
        var configuration = MeshConfiguration.simulated
        configuration.router.store.envelopeCount = capacity
        configuration.router.submissionLimit = 1
        let overlay = SimOverlay(.randomGeometric(hostCount, degree: 8, seed: seed), seed: seed)
        var net = SimLinks(overlay, seed: seed, configuration: configuration)
        for number in 0..<(load * capacity) {
            net.submit(body: SimNet.body(number), life: 25_920, from: number % hostCount)
            net.run(for: .milliseconds(20))
        }
        net.run(for: .seconds(60))
        return net
    }

    private static let hostCount = 60
    private static let capacity = 200

    @Test("When nobody writes any more, a mesh whose stores are too small falls silent", arguments: [2, 8])
    func silence(load: Int) {
        var net = Self.run(load: load, seed: 7)
        net.forgetCounts()
        net.run(for: .seconds(180))
        #expect(net.counters.transmissions == 0)
        // Neighbours of different depths compare in vain now and then, ever less often.
        #expect(net.counters.comparisons < 30 * Self.hostCount)
        net.run(for: .seconds(1_800))
        #expect(net.counters.transmissions == 0)
    }

    @Test("Each message has about as many carriers as all stores could hold of each", arguments: [2, 8])
    func copies(load: Int) {
        let net = Self.run(load: load, seed: 8)
        let counts = net.spreads.map { spread in
            net.hosts.indices.count { net.hosts[$0].router.store[spread.id.shortID] != nil && $0 != spread.author }
        }
        let expected = Double(Self.hostCount) / Double(load)
        let mean = Double(counts.reduce(0, +)) / Double(counts.count)
        #expect(mean > expected / 2.5 && mean < expected * 2.5, "\(mean) of \(expected)")
        #expect(counts.count { $0 == 0 } * 100 <= counts.count)
        #expect(net.counters.transmissionsPerArrival < 1.3)
    }

    @Test("Junk that is written to every store costs each message some carriers, and none all of them")
    func junk() {
        var configuration = MeshConfiguration.simulated
        configuration.router.store.envelopeCount = Self.capacity
        let overlay = SimOverlay(.randomGeometric(Self.hostCount, degree: 8, seed: 9), seed: 9)
        var net = SimLinks(overlay, seed: 9, configuration: configuration)
        for number in 0..<50 {
            net.submit(body: SimNet.body(number), life: 25_920, from: number)
            net.run(for: .milliseconds(20))
        }
        for number in 0..<(3 * Self.capacity) {
            let junk = Envelope(kind: .sealed, life: 25_920, body: SimNet.body(10_000 + number)).encoded()
            net.inject(junk, to: overlay.neighbours[0][0], from: 0)
            net.run(for: .milliseconds(20))
        }
        net.run(for: .seconds(30))
        let counts = net.spreads.map { spread in
            net.hosts.indices.count { net.hosts[$0].router.store[spread.id.shortID] != nil && $0 != spread.author }
        }
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }
}
