import Bytes
import MeshCore
import Testing

@Suite("Priority queue")
struct PriorityQueueTests {
    @Test("Elements come out smallest first, whatever the order they went in", arguments: [1, 2, 3] as [UInt64])
    func order(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values = (0..<200).map { _ in UInt64.random(in: 0..<50, using: &random) }
        var queue = PriorityQueue(Array(values.prefix(70)))
        for value in values.dropFirst(70) { queue.insert(value) }
        #expect(queue.count == 200)
        var drained: [UInt64] = []
        while let value = queue.removeFirst() { drained.append(value) }
        #expect(drained == values.sorted())
    }

    @Test("An empty queue hands out nothing")
    func empty() {
        var queue = PriorityQueue<Int>()
        #expect(queue.first == nil)
        #expect(queue.removeFirst() == nil)
    }
}
