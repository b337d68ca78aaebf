import Testing

@testable import MeshTransport

@Suite("Backoff")
struct BackoffTests {
    @Test("The wait doubles from 250 ms to 5 s")
    func doubles() {
        var backoff = Backoff()
        let delays = (0..<7).map { _ in backoff.delay(afterUptime: .zero) }
        #expect(delays == [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000].map(Duration.milliseconds))
    }

    @Test("Sockets that stayed open for a while start over, others do not")
    func startsOver() {
        var backoff = Backoff()
        _ = backoff.delay(afterUptime: .zero)
        #expect(backoff.delay(afterUptime: .seconds(4)) == .milliseconds(500))
        #expect(backoff.delay(afterUptime: .seconds(5)) == .milliseconds(250))
    }
}
