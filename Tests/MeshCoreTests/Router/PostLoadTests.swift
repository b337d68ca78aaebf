import Testing

@testable import MeshCore

@Suite("Load of posts")
struct PostLoadTests {
    @Test("What was sent counts for a minute, in parts of ten seconds")
    func minute() {
        var load = PostLoad()
        func counts(after seconds: Int64) -> Int { load.byteCount(now: .zero.advanced(by: .seconds(seconds))) }
        load.add(byteCount: 100, now: .zero.advanced(by: .seconds(9)))
        load.add(byteCount: 10, now: .zero.advanced(by: .seconds(10)))
        #expect([10, 59, 60, 69, 70, 1_000].map { counts(after: $0) } == [110, 110, 10, 10, 0, 0])
        load.add(byteCount: 1, now: .zero.advanced(by: .seconds(100_000)))
        #expect(counts(after: 100_001) == 1)
    }

    @Test("A node is busy once its posts fill half of what it may send for others in a minute")
    func busy() {
        var configuration = RouterConfiguration()
        configuration.busyPostByteCount = 1_000
        var bench = RouterBench(configuration)
        bench.connect(1, 2)
        for number in 0..<5 {
            #expect(!bench.router.isBusy(now: bench.now))
            _ = bench.submit(RouterBench.envelope(number, byteCount: 97))
        }
        #expect(bench.router.isBusy(now: bench.now))
        #expect(!bench.router.isBusy(now: bench.now.advanced(by: .seconds(60))))
    }
}
