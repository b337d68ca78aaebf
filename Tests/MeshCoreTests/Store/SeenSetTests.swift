import Testing

@testable import MeshCore

@Suite("Envelopes seen")
struct SeenSetTests {
    @Test("The last envelopes are known, in the order in which they first came, and no more")
    func limit() {
        var seen = SeenSet(limit: 100)
        for id in 0..<100 as Range<UInt64> { seen.insert(id) }
        seen.insert(0)
        #expect(seen.count == 100)
        seen.insert(100)
        #expect(!seen.contains(0))
        #expect((1...100).allSatisfy { seen.contains($0) })
        for id in 101..<10_000 as Range<UInt64> { seen.insert(id) }
        #expect(seen.count == 100)
    }

    @Test("What was forgotten may come again, and then counts from that time")
    func forgetting() {
        var seen = SeenSet(limit: 3)
        for id in 1...3 as ClosedRange<UInt64> { seen.insert(id) }
        seen.remove(1)
        #expect(!seen.contains(1))
        seen.insert(1)
        seen.insert(4)
        #expect((1...4).map { seen.contains($0) } == [true, false, true, true])
        for _ in 0..<1_000 {
            seen.remove(1)
            seen.insert(1)
        }
        #expect(seen.count == 1 && seen.contains(1))
    }
}
