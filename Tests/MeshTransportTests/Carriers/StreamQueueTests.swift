import MeshCore
import Testing

@testable import MeshTransport

@Suite("Queue of a stream")
struct StreamQueueTests {
    private func at(_ milliseconds: UInt64) -> MeshInstant { MeshInstant(nanoseconds: milliseconds * 1_000_000) }

    /// Adds frames of these sizes and returns whether there was room for each.
    private func add(_ counts: [Int], to queue: inout StreamQueue, at milliseconds: UInt64) -> [Bool] {
        counts.map { queue.add($0, now: at(milliseconds)) }
    }

    @Test("A stream that takes nothing has 4 KiB waiting, not more")
    func least() {
        var queue = StreamQueue()
        let first = add(Array(repeating: 1_000, count: 6), to: &queue, at: 0)
        #expect(first == [true, true, true, true, false, false])
        #expect(queue.byteCount == 4_000)
        queue.take(1_000, now: at(500))
        let second = add([1_096, 1], to: &queue, at: 500)
        #expect(second == [true, false])
    }

    @Test("As much may wait as a stream took in 250 ms, and 4 KiB again after a pause")
    func fast() {
        var queue = StreamQueue()
        for _ in 0..<25 {
            let added = queue.add(4_000, now: at(10))
            #expect(added)
            queue.take(4_000, now: at(10))
        }
        let next = add([100_000, 1], to: &queue, at: 300)
        #expect(next == [true, false])
        queue.take(100_000, now: at(1_000))
        let later = add([4_096, 1], to: &queue, at: 2_000)
        #expect(later == [true, false])
    }

    @Test("No stream has more than 256 KiB waiting")
    func most() {
        var queue = StreamQueue()
        for _ in 0..<1_000 {
            let added = queue.add(4_000, now: at(0))
            #expect(added)
            queue.take(4_000, now: at(0))
        }
        let most = add([256 << 10, 1], to: &queue, at: 0)
        #expect(most == [true, false])
    }
}
