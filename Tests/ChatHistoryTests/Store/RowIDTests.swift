import ChatHistory
import Testing

@Suite("Row id")
struct RowIDTests {
    @Test("An id is its 16 bytes and no other number of bytes")
    func bytes() throws {
        let bytes = (1...16).map { UInt8($0 * 15) }
        let id = try #require(RowID(bytes: bytes))
        #expect(id.bytes == bytes)
        #expect(id.description == "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
        #expect(RowID(bytes: bytes.dropLast()) == nil)
        #expect(RowID(bytes: bytes + [0]) == nil)
    }

    @Test("Ids order as their bytes do", arguments: [1, 2, 3] as [UInt64])
    func order(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let bytes = (0..<100).map { _ in random.bytes(16) }
        let ids = try bytes.map { try #require(RowID(bytes: $0)) }
        let sorted = bytes.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(ids.sorted().map(\.bytes) == sorted)
    }

    @Test("Positions order by sequence, then by id")
    func positions() {
        let low = min(RowID.test(1), .test(2))
        let high = max(RowID.test(1), .test(2))
        let rising = [
            RowPosition(sequence: 4, id: high), RowPosition(sequence: 5), RowPosition(sequence: 5, id: low),
            RowPosition(sequence: 5, id: high), RowPosition(sequence: 6),
        ]
        #expect(rising.reversed().sorted() == rising)
    }
}
