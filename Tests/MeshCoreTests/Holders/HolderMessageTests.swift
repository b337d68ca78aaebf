import Bytes
import Testing

@testable import MeshCore

@Suite("Messages of holders")
struct HolderMessageTests {
    private static let tag = ObjectTag(0x0102_0304_0506_0708)

    @Test("A search for keepers has no more of the object than the first bits of its place, one for holders its hash")
    func seek() {
        let fetch = Seek.holders(of: Self.tag, number: 9, tagHash: 0x0A00_0000_0000_000B)
        #expect(fetch.encoded() == [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 10, 0, 0, 0, 0, 0, 0, 11])
        #expect(Seek(decoding: fetch.encoded()) == fetch)
        let keep = Seek.keepers(of: 0xFFFF, depth: 3, number: 9)
        #expect(keep.encoded() == [0, 3, 0xE0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(keep.place == 0xE000 && Seek.keepers(of: 0, depth: 12, number: 9).depth == 8)
    }

    @Test("Nothing else is a search: another length, an unknown purpose, a depth that no search has")
    func noSeek() {
        let good = Seek.keepers(of: 0x0102, depth: 8, number: 9).encoded()
        #expect(Seek(decoding: good) != nil)
        #expect(Seek(decoding: Array(good.dropLast())) == nil && Seek(decoding: good + [0]) == nil)
        for (offset, value) in [(0, 2), (1, 9)] as [(Int, UInt8)] {
            var bad = good
            bad[offset] = value
            #expect(Seek(decoding: bad) == nil)
        }
    }

    @Test(
        "Each message is what it was after the way",
        arguments: [
            (.ready(Shelf(of: 0xABCD, depth: 4)), [0, 0xA0, 0, 4]),
            (.offer(tag, [1, 2]), [1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]),
            (.want([3]), [2, 0, 0, 0, 0, 0, 0, 0, 3]), (.piece([7, 7]), [3, 7, 7]),
        ] as [(HolderMessage, [UInt8])]
    )
    func roundTrip(message: HolderMessage, bytes: [UInt8]) {
        #expect(message.encoded() == bytes)
        #expect(HolderMessage(decoding: bytes) == message)
    }

    @Test("What is malformed is nothing: no type, no ids, half an id, too many, bits beyond a shelf")
    func malformed() {
        let most = HolderMessage.want((0..<256).map { UInt64($0) }).encoded()
        #expect(HolderMessage(decoding: most) != nil)
        let bad: [[UInt8]] = [
            [], [4], [0], [0, 0xA0, 0, 3, 0], [0, 0xA0, 1, 4], [0, 0, 0, 17], [1], [2], [2, 1],
            most + most.dropFirst(2040),
            HolderMessage.offer(Self.tag, []).encoded(), most + [UInt8](repeating: 0, count: 8),
        ]
        for bytes in bad { #expect(HolderMessage(decoding: bytes) == nil, "\(bytes.prefix(9))") }
    }

    @Test("The place of an object is the first 16 bits of its tag, which begins each body")
    func place() {
        #expect(ObjectTag(of: [1, 2, 3, 4, 5, 6, 7, 8, 99]) == Self.tag)
        #expect(ObjectTag(of: [1, 2, 3, 4, 5, 6, 7]) == nil)
        #expect(Self.tag.place == 0x0102)
    }
}
