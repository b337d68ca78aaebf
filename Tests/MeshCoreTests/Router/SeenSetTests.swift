import Testing

@testable import MeshCore

@Suite("Envelopes seen")
struct SeenSetTests {
    @Test("Two full generations are remembered and no more, the older one whole until the younger is full")
    func generations() {
        var seen = SeenSet(limit: 100, lifetime: .seconds(600), now: .zero)
        for id in 0..<200 as Range<UInt64> { seen.insert(id, now: .zero) }
        #expect((0..<200).allSatisfy { seen.contains($0) })
        #expect(seen.count == 200)
        seen.insert(200, now: .zero)
        #expect((0..<100).allSatisfy { !seen.contains($0) })
        #expect((100...200).allSatisfy { seen.contains($0) })
        for id in 201..<10_000 as Range<UInt64> { seen.insert(id, now: .zero) }
        #expect(seen.count <= 200)
    }

    @Test("What went by is remembered for its generation's ten minutes and ten minutes more")
    func lifetime() {
        let start = MeshInstant.zero
        var seen = SeenSet(limit: 65_536, lifetime: .seconds(600), now: start)
        seen.insert(1, now: start.advanced(by: .seconds(599)))
        seen.insert(2, now: start.advanced(by: .seconds(600)))
        #expect(seen.contains(1))
        seen.insert(3, now: start.advanced(by: .seconds(1_199)))
        #expect(seen.contains(1))
        seen.insert(4, now: start.advanced(by: .seconds(1_200)))
        #expect((1...4).map { seen.contains($0) } == [false, true, true, true])
    }
}
