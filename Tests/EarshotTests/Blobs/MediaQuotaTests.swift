import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Room for files")
struct MediaQuotaTests {
    @Test("Those who share it take no more together than there is, and what one gives back another has")
    func shares() {
        let space = MediaQuota(limit: 100)
        let (node, room) = (space.share(), space.share())
        #expect(node.take(60) && space.byteCount == 60)
        #expect(!room.take(41) && room.canTake(40) && !room.canTake(41))
        #expect(room.take(40) && !node.take(61) && space.byteCount == 100)
        // The same amount again, or a smaller one, adds nothing.
        #expect(node.take(60) && node.take(10) && space.byteCount == 100)
        node.set(10)
        #expect(room.take(90) && !room.take(91) && space.byteCount == 100)
        room.set(0)
        #expect(space.byteCount == 10 && node.take(100))
    }

    @Test("What is being sealed is held for it, and nobody else's meanwhile")
    func holds() {
        let space = MediaQuota(limit: 100)
        let (node, room) = (space.share(), space.share())
        #expect(node.hold(70) && !room.hold(31) && !room.take(31) && room.take(30))
        node.release(70)
        #expect(space.byteCount == 30 && node.take(70))
    }

    @Test("What is there already stays when there is to be less, and no number is too large to be refused")
    func beyond() {
        let space = MediaQuota(limit: 100)
        let (node, room) = (space.share(), space.share())
        node.set(150)
        #expect(space.byteCount == 150 && !node.take(150) && !room.take(0) && !room.hold(1))
        #expect(!room.take(.max) && !room.hold(.max) && ([.max, .max] as [UInt64]).saturatingSum == .max)
    }

    @Test("As much as may be is taken by many at once, and never more")
    func manyAtOnce() async {
        let space = MediaQuota(limit: 1_000)
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                let share = space.share()
                group.addTask { share.take(30) ? 1 : 0 }
            }
            return await group.reduce(0, +)
        }
        #expect(taken == 33 && space.byteCount == 990)
    }

    @Test(
        "A range of bytes is found in its chunks, and no other chunk is touched",
        arguments: [
            (0..<0, 0..<0, 0..<0), (0..<1, 0..<1, 0..<1), (32_767..<32_769, 0..<2, 32_767..<32_769),
            (32_768..<65_536, 1..<2, 0..<32_768), (65_535..<65_537, 1..<3, 32_767..<32_769),
            (99_999..<200_000, 3..<4, 1_695..<1_696), (100_000..<200_000, 0..<0, 0..<0),
            (0..<UInt64.max, 0..<4, 0..<100_000),
        ] as [(Range<UInt64>, Range<Int>, Range<Int>)]
    )
    func spans(range: Range<UInt64>, chunks: Range<Int>, bytes: Range<Int>) throws {
        let blob = try #require(BlobReference(root: [UInt8](repeating: 1, count: 32), byteCount: 100_000))
        let span = ChunkSpan(range, of: blob)
        #expect(span.chunks == chunks && span.bytes == bytes)
    }
}
