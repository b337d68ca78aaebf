import MeshCore
import Synchronization
import Testing

@testable import Bytes

@Suite("Sorted set")
struct SortedSetTests {
    @Test("It holds what a set holds, in order, and a copy stays as it was", arguments: [1, 2, 3] as [UInt64])
    func likeSet(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var sorted = SortedSet<Int>()
        var expected: Set<Int> = []
        // The set grows to several runs twice, and shrinks to nothing twice.
        for step in 0..<4_000 {
            let element = Int.random(in: 0..<600, using: &random)
            let isGrowth = (step / 1_000).isMultiple(of: 2)
            if Int.random(in: 0..<8, using: &random) < (isGrowth ? 7 : 1) {
                sorted.insert(element)
                expected.insert(element)
            } else {
                let gone = isGrowth ? element : expected.sorted().randomElement(using: &random) ?? element
                sorted.remove(gone)
                expected.remove(gone)
            }
            guard step.isMultiple(of: 20) else { continue }
            var copy = sorted
            copy.remove(expected.max() ?? 0)
            copy.insert(-1)
            let order = expected.sorted()
            #expect(Array(sorted) == order)
            #expect(sorted.first == order.first && sorted.isEmpty == order.isEmpty)
            #expect(sorted.count == order.count)
            #expect(sorted.runs.allSatisfy { (1...64).contains($0.count) })
            #expect(zip(sorted.runs, sorted.runs.dropFirst()).allSatisfy { $0.count + $1.count > 32 })
            #expect(sorted.first(from: { $0 >= element }) == order.first { $0 >= element })
            #expect(sorted.contains(element) == expected.contains(element))
            #expect(Array(copy) == [-1] + order.dropLast())
            #expect(Array(sorted.elements { $0 >= element }) == order.filter { $0 >= element })
        }
    }

    @Test("A change of 16,384 elements compares a few of them, and a reader looks only at what it takes")
    func work() {
        let count = 16_384
        let comparisons = Comparisons()
        var random = SplitMix64(seed: 1)
        let numbers = (0..<count + 1_000).shuffled(using: &random).map { Number(value: $0, comparisons: comparisons) }
        var sorted = SortedSet<Number>()
        for number in numbers.prefix(count) { sorted.insert(number) }
        // Binary searches need about one comparison for each halving of the 16,384 elements, 14 in all, and a few more.
        for (new, old) in zip(numbers.dropFirst(count), numbers) {
            #expect(comparisons.count { sorted.insert(new) } <= 20)
            #expect(comparisons.count { sorted.remove(old) } <= 20)
            #expect(comparisons.count { _ = sorted.first } == 0)
        }
        var looks = 0
        func look(_ isTrue: Bool) -> Bool {
            looks += 1
            return isTrue
        }
        let found = sorted.elements { look($0.value >= 8_000) }.prefix { look($0.value < 8_100) }
        #expect((50...100).contains(found.count))
        #expect(looks <= found.count + 21)
    }
}

/// A number whose comparisons are counted.
private struct Number: Comparable, Sendable {
    let value: Int
    let comparisons: Comparisons

    static func < (left: Number, right: Number) -> Bool {
        left.comparisons.add()
        return left.value < right.value
    }

    static func == (left: Number, right: Number) -> Bool { left.value == right.value }
}

/// The number of comparisons so far.
private final class Comparisons: Sendable {
    private let total = Mutex(0)

    func add() { total.withLock { $0 += 1 } }

    /// Counts the comparisons that a change makes.
    func count(during change: () -> Void) -> Int {
        let before = total.withLock { $0 }
        change()
        return total.withLock { $0 } - before
    }
}
