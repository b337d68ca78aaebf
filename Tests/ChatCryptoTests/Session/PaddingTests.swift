import Bytes
import Testing

@testable import ChatCrypto

@Suite("Padding")
struct PaddingTests {
    @Test("Content of any length fills the smallest bucket it fits, and comes back")
    func buckets() throws {
        for kind in [CarrierKind.sealed, .prekey, .live] {
            let overhead = kind.overheadByteCount
            for bucket in kind.buckets {
                for count in [bucket - overhead - 3, bucket - overhead - 2, bucket - overhead - 1] {
                    let content = [UInt8](repeating: 0, count: count)
                    guard let padded = Padding.pad(content, overheadByteCount: overhead, buckets: kind.buckets) else {
                        #expect(count == 16_384 - overhead - 1)
                        continue
                    }
                    #expect(padded.count + overhead == (count < bucket - overhead - 1 ? bucket : bucket * 2))
                    #expect(Padding.strip(padded).map { Array($0) } == content)
                }
            }
        }
    }

    @Test("The envelopes hold what the protocol promises")
    func capacity() {
        let overheads = [
            CarrierKind.sealed.overheadByteCount, CarrierKind.prekey.overheadByteCount,
            CarrierKind.sealed.overheadByteCount + Ed25519.signatureByteCount, CarrierKind.probe.overheadByteCount,
        ]
        #expect(overheads == [120, 1_377, 184, 120])
        #expect(CarrierKind.prekey.buckets == [2_048, 4_096, 8_192, 16_384])
        // The room for items: bucket, less overhead and length.
        let rooms = CarrierKind.prekey.buckets.map { $0 - 1_377 - Padding.lengthByteCount }
        #expect(rooms == [669, 2_717, 6_813, 15_005])
        for (room, overhead, bucket) in [(134, 120, 256), (16_262, 120, 16_384), (70, 184, 256), (16_198, 184, 16_384)]
        {
            let full = [UInt8](repeating: 1, count: room)
            #expect(Padding.pad(full, overheadByteCount: overhead)?.count == bucket - overhead)
            let isLargest = bucket == 16_384
            #expect((Padding.pad(full + [1], overheadByteCount: overhead) == nil) == isLargest)
        }
        for (content, room) in [
            (SessionLimits.maximumContentByteCount, 16_262), (SessionLimits.maximumFirstContentByteCount, 15_005),
            (GroupLimits.maximumContentByteCount, 16_198),
        ] {
            #expect(MessageItems.encode([[UInt8](repeating: 1, count: content)]).count == room)
        }
    }

    @Test(
        "Padding that is not as it is made is refused",
        arguments: [[], [0], [0, 1], [0, 2, 7], [0xFF, 0xFF, 0], [0, 0, 1], [0, 1, 7, 0, 1]] as [[UInt8]]
    )
    func malformed(padded: [UInt8]) {
        #expect(Padding.strip(padded) == nil)
        #expect(Padding.strip(SecretBytes(copying: padded)) == nil)
    }

    @Test("Empty content and content that looks like padding come back as they were")
    func edges() {
        for (padded, content) in [([0, 0], []), ([0, 0, 0], []), ([0, 2, 0, 0], [0, 0]), ([0, 1, 7, 0, 0], [7])]
            as [([UInt8], [UInt8])]
        {
            #expect(Padding.strip(padded).map { Array($0) } == content)
            #expect(Padding.strip(SecretBytes(copying: padded))?.exposed == content)
        }
        let secret = SecretBytes(copying: [1, 2, 3])
        let padded = Padding.pad(secret, overheadByteCount: 37)
        #expect(padded?.count == 256 - 37)
        #expect(padded.flatMap { Padding.strip($0) }?.exposed == [1, 2, 3])
        #expect(Padding.pad(SecretBytes(copying: [UInt8](repeating: 1, count: 16_346)), overheadByteCount: 37) == nil)
    }

    @Test("Content is padded to multiples as well")
    func multiples() {
        for (count, padded) in [(0, 256), (254, 256), (255, 512), (510, 512), (511, 768)] {
            let content = [UInt8](repeating: 0, count: count)
            #expect(Padding.pad(content, toMultipleOf: 256).count == padded)
            #expect(Padding.strip(Padding.pad(content, toMultipleOf: 256))?.count == count)
        }
    }

    @Test("The rest of a message that is too short for a section has to be zeros; a longer one may be anything")
    func rests() {
        let rests: [([UInt8], Bool)] = [
            ([0, 0], true), ([0, 1], false), ([9], false), ([9, 9, 9], true), ([], true),
        ]
        for (rest, isAllowed) in rests {
            #expect((Padding.itemsAndSection(in: [0, 2, 1, 7] + rest).map { Array($0.items) } == [1, 7]) == isAllowed)
        }
    }
}

@Suite("Items of a message")
struct MessageItemsTests {
    @Test("Contents of any length come back in their order")
    func roundTrip() {
        let contents = [1, 127, 128, 16_000].map { [UInt8](repeating: 3, count: $0) }
        #expect(MessageItems.encode(contents).count == 1 + 1 + 127 + 1 + 128 + 2 + 16_000 + 2 + 1 - 1)
        #expect(MessageItems.decode(MessageItems.encode(contents)[...]) == contents)
        let many = [[UInt8]](repeating: [1], count: 256)
        #expect(MessageItems.decode(MessageItems.encode(many)[...]) == many)
        #expect(MessageItems.decode(MessageItems.encode(many + [[1]])[...]) == nil)
    }

    @Test(
        "No items, an empty one, a cut one and a length out of bounds are refused",
        arguments: [
            [], [0], [1], [2, 7], [1, 7, 0], [1, 7, 1], [0x80],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 1],
        ] as [[UInt8]]
    )
    func malformed(items: [UInt8]) {
        #expect(MessageItems.decode(items[...]) == nil)
    }
}
