import Testing

@testable import ChatCrypto

@Suite("Padding")
struct PaddingTests {
    @Test("Content of any length fills the smallest bucket it fits, and comes back")
    func buckets() throws {
        for kind in [CarrierKind.sealed, .prekey, .live] {
            let overhead = kind.overheadByteCount
            for bucket in kind.buckets {
                for count in [bucket - overhead - 2, bucket - overhead - 1, bucket - overhead] where count > 0 {
                    let content = [UInt8](repeating: 0, count: count)
                    guard let padded = Padding.pad(content, overheadByteCount: overhead, buckets: kind.buckets) else {
                        #expect(count == 16_384 - overhead)
                        continue
                    }
                    #expect(kind.buckets.contains(padded.count + overhead))
                    #expect(padded.count + overhead == (count < bucket - overhead ? bucket : bucket * 2))
                    #expect(Padding.strip(padded) == content)
                }
            }
        }
    }

    @Test("The smallest envelopes hold what the protocol promises")
    func capacity() {
        #expect(CarrierKind.sealed.overheadByteCount == 120)
        #expect(CarrierKind.prekey.overheadByteCount == 273)
        #expect(Padding.pad([UInt8](repeating: 1, count: 135), overheadByteCount: 120)?.count == 136)
        #expect(Padding.pad([UInt8](repeating: 1, count: 136), overheadByteCount: 120)?.count == 392)
        #expect(CarrierKind.prekey.buckets.first == 512)
        #expect(SessionLimits.maximumContentByteCount == 16_384 - 120 - 1)
        #expect(SessionLimits.maximumFirstContentByteCount == 16_384 - 273 - 1)
    }

    @Test(
        "Padding that is not as it is made is refused",
        arguments: [[], [0], [0, 0, 0], [1], [0x81], [0x80, 1]] as [[UInt8]]
    )
    func malformed(padded: [UInt8]) {
        #expect(Padding.strip(padded) == nil)
    }

    @Test("Empty content and content that ends like padding come back as they were")
    func edges() {
        #expect(Padding.strip([0x80]) == [])
        #expect(Padding.strip([0x80, 0x80, 0]) == [0x80])
        #expect(Padding.strip([7, 0, 0, 0x80]) == [7, 0, 0])
    }
}
