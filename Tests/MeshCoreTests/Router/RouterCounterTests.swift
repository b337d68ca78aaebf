import MeshSimulation
import Testing

@testable import MeshCore

@Suite("What a router counts")
struct RouterCounterTests {
    private let deliveryProof = [UInt8](repeating: 9, count: 16)

    @Test("A graft counts for each envelope that it asks for, and a prune when it is sent")
    func tree() {
        var bench = RouterBench()
        bench.connect(1, 2)
        _ = bench.receive(RouterBench.envelope(1), on: 1)
        _ = bench.receive(RouterBench.envelope(1), on: 2)
        #expect([bench.router.counters.prunes, bench.router.counters.grafts] == [1, 0])
        let lacking = [RouterBench.envelope(2), RouterBench.envelope(3)]
        _ = bench.receive(RouterBench.announce(lacking.map { bench.id($0) }), on: 2)
        bench.pass(.milliseconds(80))
        #expect([bench.router.counters.prunes, bench.router.counters.grafts] == [1, 2])
    }

    @Test("A comparison counts where it began, with what was moved by it at both ends")
    func comparison() {
        var pair = RouterPair()
        pair.hold(0..<1_003, at: 0)
        pair.hold(3..<1_005, at: 1)
        pair.connect()
        pair.pass(.seconds(2))
        let counters = pair.benches.map(\.router.counters)
        #expect(counters.map(\.comparisons) == [1, 0])
        #expect(counters.map(\.comparisonSymbols) == [20, 0])
        #expect(counters.map(\.comparisonMoves) == [5, 5])
        #expect(counters.map(\.failedComparisons) == [0, 0])
    }

    @Test("A comparison fails when its code cannot be read, or nobody goes on with it")
    func failures() {
        var pair = RouterPair()
        pair.hold(0..<3_300, at: 0)
        pair.hold(3_200..<6_600, at: 1)
        pair.connect()
        pair.pass(.seconds(1))
        #expect(pair.benches.map(\.router.counters.failedComparisons) == [1, 0])

        var bench = RouterBench()
        for number in 0..<100 { _ = bench.submit(RouterBench.envelope(number)) }
        bench.connect(1, dialledHere: true)
        bench.hear(StoreSummary(digest: 1, count: 100), on: 1)
        bench.pass(.milliseconds(200))
        #expect([bench.router.counters.comparisons, bench.router.counters.failedComparisons] == [1, 0])
        bench.pass(bench.router.configuration.requestTimeout)
        #expect(bench.router.counters.failedComparisons == 1)
    }

    @Test("What leaves the store counts as evicted or as released")
    func store() {
        var configuration = RouterConfiguration()
        configuration.store.envelopeCount = 2
        var bench = RouterBench(configuration)
        bench.connect(1)
        let body = ToyCryptography().proofHash(deliveryProof: deliveryProof) + [1, 2]
        _ = bench.receive(Envelope(kind: .sealed, life: 100, body: body), on: 1)
        _ = bench.receive(Envelope(kind: .release, life: 100, body: deliveryProof), on: 1)
        #expect([bench.router.store.releasedCount, bench.router.store.evictedCount] == [1, 0])
        for number in 1...3 { _ = bench.receive(RouterBench.envelope(number), on: 1) }
        #expect([bench.router.store.releasedCount, bench.router.store.evictedCount] == [1, 1])
    }
}
