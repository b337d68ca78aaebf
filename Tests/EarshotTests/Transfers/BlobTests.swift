import MeshCore
import Testing

@testable import ChatCore

@Suite("Blobs are pulled in verified parts")
struct BlobTests {
    @Test(
        "Objects of any size come whole",
        arguments: [0, 1, 32_767, 32_768, 32_769, 1_000_000, 1_024 * 32_768, 1_024 * 32_768 + 1]
    )
    func sizes(byteCount: Int) throws {
        let blob = try HeldBlob(byteCount: byteCount)
        var pipe = BlobPipe(blob)
        pipe.run()
        #expect(pipe.isFinished)
        #expect((0..<blob.chunks.count).allSatisfy { pipe.kept[$0] == blob.chunks[$0] })
        #expect(pipe.kept.count == blob.reference.chunkCount)
    }

    @Test("The sizes of the largest object's parts are as the protocol says")
    func largest() throws {
        let root = [UInt8](repeating: 1, count: 32)
        let reference = try #require(BlobReference(root: root, byteCount: BlobReference.maximumByteCount))
        #expect(BlobReference(root: root, byteCount: BlobReference.maximumByteCount + 1) == nil)
        #expect(reference.chunkCount == 131_072)
        #expect(reference.partCount == 1 + 128 + 131_072)
        #expect(reference.byteCount(of: .top) == 4_096)
        #expect(reference.byteCount(of: .list(127)) == 32_768)
        #expect(reference.byteCount(of: .chunk(131_071)) == 32_784)
        #expect(reference.part(reference.partCount) == nil)
    }

    @Test("At 50 Mbit/s and 2 ms nearly all of the line carries the object, and next to nothing goes twice")
    func speed() throws {
        let blob = try HeldBlob(byteCount: 10_000_000)
        var pipe = BlobPipe(blob)
        pipe.run()
        let seconds = Double(pipe.now.nanoseconds) / 1e9
        #expect(pipe.isFinished)
        #expect(10_000_000 / seconds > 0.95 * Double(pipe.rate))
        #expect(pipe.sentByteCount < 10_050_000)
    }

    @Test("What is lost is asked for again")
    func loss() throws {
        let blob = try HeldBlob(byteCount: 3_000_000)
        var pipe = BlobPipe(blob)
        pipe.loss = 0.2
        while !pipe.isFinished { pipe.run() }
        #expect(pipe.kept.count == blob.reference.chunkCount)
    }

    @Test(
        "A relay that can keep little and drops the rest is used well",
        arguments: [20_000_000, 50_000_000, 100_000_000]
    )
    func shallowRelay(rate: Int) throws {
        let blob = try HeldBlob(byteCount: 30_000_000)
        var pipe = BlobPipe(blob)
        pipe.rate = 2 * rate
        pipe.relayRate = rate
        pipe.run()
        #expect(pipe.isFinished)
        let seconds = Double(pipe.now.nanoseconds) / 1e9
        #expect(30_000_000 / seconds > 0.7 * Double(rate))
        #expect(Double(pipe.sentByteCount) < 1.2 * 30_000_000)
    }

    @Test("A restart fetches only what is missing")
    func resumption() throws {
        let blob = try HeldBlob(byteCount: 3_000_000)
        var first = BlobPipe(blob)
        first.run(until: 50)
        let kept = first.fetch.chunks
        #expect(kept.count >= 50)
        let restored = try #require(ChunkSet(restoring: kept.bytes, chunkCount: blob.reference.chunkCount))
        #expect(restored == kept)
        var second = BlobPipe(blob, chunks: restored)
        second.run()
        #expect(second.isFinished)
        #expect(second.kept.count == blob.reference.chunkCount - kept.count)
        #expect(second.kept.keys.allSatisfy { !kept.contains($0) })
    }

    @Test("A false part is not kept, and five in a row want another path, on which the rest comes")
    func forgery() throws {
        let blob = try HeldBlob(byteCount: 3_000_000)
        var pipe = BlobPipe(blob)
        pipe.forge = { message in
            guard case .fragment(let transfer, let part, let fragment, var bytes) = message, part > 10 else {
                return message
            }
            bytes[bytes.startIndex] ^= 1
            return .fragment(transfer: transfer, part: part, fragment: fragment, bytes)
        }
        pipe.run()
        #expect(pipe.wantsPath)
        #expect(pipe.kept.allSatisfy { blob.chunks[$0.key] == $0.value })
        pipe.forge = { $0 }
        pipe.run()
        #expect(pipe.isFinished)
        #expect((0..<blob.chunks.count).allSatisfy { pipe.kept[$0] == blob.chunks[$0] })
    }

    @Test("A holder that falls silent is left")
    func silence() throws {
        let blob = try HeldBlob(byteCount: 3_000_000)
        var pipe = BlobPipe(blob)
        pipe.loss = 1
        pipe.run()
        #expect(pipe.wantsPath)
        #expect(pipe.kept.isEmpty)
    }

    @Test("Pieces that nobody asked for, of a wrong size or place, change nothing")
    func unasked() throws {
        let blob = try HeldBlob(byteCount: 100_000)
        var fetch = BlobFetch(blob.reference, transfer: 1, chunks: ChunkSet(chunkCount: 4), hashing: ChecksumHashing())
        var effects: [BlobFetch.Effect] = []
        fetch.resume(now: .zero, into: &effects)
        #expect(effects == [.send(.get(transfer: 1, root: blob.reference.root, [0..<1]))])
        effects = []
        let top = try #require(blob.hashes.bytes(ofPart: 0))
        for message in [
            BlobMessage.fragment(transfer: 2, part: 0, fragment: 0, top[...]),
            .fragment(transfer: 1, part: 3, fragment: 0, blob.chunks[0][..<16_392]),
            .fragment(transfer: 1, part: 0, fragment: 1, top[...]),
            .fragment(transfer: 1, part: 0, fragment: 0, top.dropLast()),
            .fragment(transfer: 1, part: .max, fragment: 255, top[...]),
            .cancel(transfer: 1), .absent(transfer: 2),
        ] {
            fetch.receive(message, now: .zero, into: &effects)
        }
        #expect(effects.isEmpty)
        fetch.receive(.fragment(transfer: 1, part: 0, fragment: 0, top[...]), now: .zero, into: &effects)
        #expect(effects == [.send(.get(transfer: 1, root: blob.reference.root, [1..<2]))])
    }
}
