import MeshCore
import Testing

@testable import ChatCore

@Suite("Blobs within bounds")
struct BlobLimitTests {
    @Test("Messages read back, and cut or beyond their limits are refused")
    func messages() throws {
        let root = [UInt8](0..<32)
        let messages: [BlobMessage] = [
            .get(transfer: 7, root: root, [0..<1, 5..<9]), .absent(transfer: 8), .cancel(transfer: .max),
            .fragment(transfer: 9, part: 3, fragment: 1, [1, 2, 3]),
        ]
        for message in messages {
            let bytes = message.encoded()
            #expect(BlobMessage(decoding: bytes) == message)
            for count in 0..<min(bytes.count, 10) { #expect(BlobMessage(decoding: Array(bytes.prefix(count))) == nil) }
        }
        let parts = UInt32(BlobMessage.partLimit)
        let ranges = (0..<UInt32(BlobMessage.rangeLimit)).map { 2 * $0..<(2 * $0 + 1) }
        for (wanted, isAllowed) in [
            ([0..<parts], true), ([0..<(parts + 1)], false), (ranges, true), (ranges + [200..<201], false),
        ] {
            let bytes = BlobMessage.get(transfer: 1, root: root, wanted).encoded()
            #expect((BlobMessage(decoding: bytes) != nil) == isAllowed)
        }
        let large = [UInt8](repeating: 0, count: BlobMessage.fragmentByteCount + 1)
        #expect(
            BlobMessage(decoding: BlobMessage.fragment(transfer: 1, part: 1, fragment: 0, large[1...]).encoded()) != nil
        )
        #expect(
            BlobMessage(decoding: BlobMessage.fragment(transfer: 1, part: 1, fragment: 0, large[...]).encoded()) == nil
        )
        let overflowing = BlobMessage.get(transfer: 1, root: root, []).encoded() + [255, 255, 255, 255, 0, 1]
        #expect(BlobMessage(decoding: overflowing) == nil)
    }

    @Test("A holder lets 1,024 parts wait and no part twice")
    func waiting() throws {
        let root = [UInt8](repeating: 1, count: 32)
        let reference = try #require(BlobReference(root: root, byteCount: 1 << 30))
        var requests = BlobRequests()
        requests.add([0..<100], of: reference, transfer: 1)
        requests.add([50..<150], of: reference, transfer: 1)
        #expect(requests.waitingCount == 1 + 149 * 2)
        requests.add([150..<5_000], of: reference, transfer: 1)
        #expect(requests.waitingCount == 1 + (BlobRequests.waitingLimit - 1) * 2)
        requests.removeFirst()
        requests.add([0..<1], of: reference, transfer: 2)
        requests.cancel(1)
        #expect(requests.first == BlobRequests.Fragment(transfer: 2, root: root, part: 0, fragment: 0))
        requests.add([UInt32(reference.partCount)..<(.max)], of: reference, transfer: 3)
        requests.removeFirst()
        #expect(requests.isEmpty)
    }

    @Test("The window stays between 1 and 128 parts, and shrinks once a round trip")
    func window() {
        var window = PullWindow()
        var now = MeshInstant.zero
        for _ in 0..<1_000 { window.arrived(askedAt: now, now: now.advanced(by: .milliseconds(10))) }
        #expect(window.count == Int(PullWindow.maximumCount))
        for _ in 0..<10 { window.late(now: now) }
        #expect(window.count == Int(PullWindow.maximumCount * 0.7))
        for _ in 0..<100 {
            now = now.advanced(by: .seconds(1))
            window.late(now: now)
        }
        #expect(window.count == 1)
        window.arrived(askedAt: now, now: now.advanced(by: .milliseconds(10)))
        #expect(window.count == 2)
        #expect(window.deadline(for: now) == now.advanced(by: PullWindow.minimumTimeout))
    }

    @Test("Random messages never trap, and never bring a false chunk", arguments: [1, 2, 3] as [UInt64])
    func noise(seed: UInt64) throws {
        let blob = try HeldBlob(byteCount: 400_000)
        var random = SplitMix64(seed: seed)
        var fetch = BlobFetch(blob.reference, transfer: 1, chunks: ChunkSet(chunkCount: 13), hashing: ChecksumHashing())
        var effects: [BlobFetch.Effect] = []
        fetch.resume(now: .zero, into: &effects)
        for step in 0..<20_000 {
            let now = MeshInstant(nanoseconds: UInt64(step) * 1_000_000)
            let number = UInt32.random(in: 0...20, using: &random)
            let fragment = BlobRequests.Fragment(
                transfer: 1,
                root: [],
                part: number,
                fragment: UInt8.random(in: 0...2, using: &random)
            )
            if var bytes = blob.bytes(fragment)?.encoded() {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                if let message = BlobMessage(decoding: bytes) { fetch.receive(message, now: now, into: &effects) }
                fetch.tick(now: now, into: &effects)
            }
            if effects.contains(.wantsPath) {
                effects.removeAll { $0 == .wantsPath }
                fetch.resume(now: now, into: &effects)
            }
        }
        for case .keep(let chunk, let bytes) in effects { #expect(bytes == blob.chunks[chunk]) }
        #expect(effects.contains(.finished))
    }
}
