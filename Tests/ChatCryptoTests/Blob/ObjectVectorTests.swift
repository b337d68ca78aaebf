import ChatCore
import MeshCore
import Testing

@testable import ChatCrypto

/// Tests of one object with both modules: ChatCrypto seals it, ChatCore names it by its root.
@Suite("Known objects")
struct ObjectVectorTests {
    private struct Hashing: BlobHashing {
        func hash(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] { BlobHash.bytes(level: level, bytes) }
    }

    /// The part of a sealed object in one CHUNK.
    ///
    /// Units: bytes.
    private static let pieceByteCount = 16_360

    @Test("Key and content give the known hashes, root, tag and proofs", arguments: try VectorFile("object").cases)
    func knownAnswers(known: VectorCase) throws {
        let byteCount = try known.number("plain size")
        let sealer = Randomness.$tape.withValue(RandomTape(try known.bytes("key"))) { BlobSealer() }
        let full = (0..<BlobReference.chunkByteCount).map { UInt8($0 & 0xFF) }
        var hashes = BlobHashes(byteCount: UInt64(byteCount), hashing: Hashing())
        var sealed: [UInt8] = []
        var sealedByteCount = 0
        let chunkCount = max(1, (byteCount + full.count - 1) / full.count)
        for index in 0..<chunkCount {
            let plain = Array(full.prefix(byteCount - index * full.count))
            let chunk = sealer.seal(plain, isLast: index == chunkCount - 1)
            hashes.add(chunk[...])
            sealedByteCount += chunk.count
            if sealed.count < 2 * full.count { sealed += chunk }
        }
        #expect(try sealedByteCount == known.number("sealed size"))
        #expect(try Array(hashes.bytes.prefix(32)) == known.bytes("first chunk hash"))
        #expect(try Array(hashes.bytes.suffix(32)) == known.bytes("last chunk hash"))
        #expect(try hashes.bytes(ofPart: 0) == known.bytes("top"))
        let reference = try #require(hashes.reference)
        #expect(try reference.root == known.bytes("root") && reference.chunkCount == chunkCount)
        guard known.has("tag") else { return }
        try expectPieces(of: sealed, reference, known)
    }

    private func expectPieces(of sealed: [UInt8], _ reference: BlobReference, _ known: VectorCase) throws {
        let last = try known.number("last piece")
        #expect(last == (sealed.count - 1) / Self.pieceByteCount)
        for (index, name) in [(0, "first proof"), (last, "last proof")] {
            let fragment = Array(sealed.dropFirst(index * Self.pieceByteCount).prefix(Self.pieceByteCount))
            let label = ChunkLabel(root: reference.root, index: UInt32(index), fragment: fragment)
            #expect(try label.bytes == known.bytes("tag") + known.bytes(name))
        }
    }
}
