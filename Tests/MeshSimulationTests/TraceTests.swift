import MeshCore
import MeshSimulation
import Testing

@Suite("Repeatable runs")
struct TraceTests {
    /// Runs a scenario with loss, churn, synchronisation and a release, and returns the hash of its trace.
    fileprivate static func trace(seed: UInt64) -> UInt64 {
        var quality = SegmentQuality(jitter: .milliseconds(1), loss: 0.1)
        quality.duplication = 0.05
        var configuration = MeshConfiguration.simulated
        configuration.store.envelopeCount = 25
        let topology = Topology.randomGeometric(30, degree: 7, seed: 3)
        var net = SimNet(topology, seed: seed, quality: quality, configuration: configuration)
        net.startAll()
        for number in 0..<40 {
            net.submit(body: SimNet.body(number, byteCount: 600), from: number % 30)
            net.run(for: .milliseconds(50))
            if number == 20 { net.crash(7) }
            if number == 30 { net.start(7) }
        }
        net.submit(.release, body: [UInt8](repeating: 1, count: 16), from: 4)
        net.leave(9)
        net.run(for: .seconds(5))
        return net.traceHash
    }

    @Test("The same seed gives the same trace, another seed another")
    func seeds() {
        let trace = Self.trace(seed: 1)
        #expect(trace == Self.trace(seed: 1))
        #expect(trace != Self.trace(seed: 2))
    }

    /// Compares the traces of two processes.
    ///
    /// Swift seeds the order of sets and dictionaries in each process, and no trace may depend on it.
    @Test("The same seed gives the same trace in another process")
    func processes() async throws {
        let result = try await #require(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            print("trace \(TraceTests.trace(seed: 1)) end")
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        #expect(output.contains("trace \(Self.trace(seed: 1)) end"))
    }
}
