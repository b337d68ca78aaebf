import Testing

@testable import ChatCrypto

@Suite("Objects are sealed in chunks")
struct BlobSealerTests {
    private let chunks: [[UInt8]] = [[1, 2, 3], [4, 5, 6], []]
    private let sealed: [[UInt8]]
    private let opener: BlobOpener
    private let key: SecretBytes

    init() throws {
        let sealer = BlobSealer()
        sealed = [
            sealer.seal(chunks[0], isLast: false), sealer.seal(chunks[1], isLast: false),
            sealer.seal(chunks[2], isLast: true),
        ]
        key = sealer.key
        opener = try #require(BlobOpener(key: key.withBytes { Array($0) }))
    }

    @Test("Each chunk opens at its place")
    func opens() {
        for index in 0..<3 {
            #expect(opener.open(sealed[index], index: UInt32(index), isLast: index == 2) == chunks[index])
        }
    }

    @Test("The nonce is seven zeros, the chunk's number and whether it is the last")
    func nonce() {
        let zeros = [UInt8](repeating: 0, count: 7)
        #expect(AEAD.open(sealed[1], key: key, nonce: zeros + [0, 0, 0, 1, 0], associatedData: []) == chunks[1])
        #expect(AEAD.open(sealed[2], key: key, nonce: zeros + [0, 0, 0, 2, 1], associatedData: []) == chunks[2])
    }

    @Test("Swapped, cut, lengthened, left out and added chunks do not open")
    func damage() {
        #expect(opener.open(sealed[1], index: 0, isLast: false) == nil)
        #expect(opener.open(sealed[0], index: 1, isLast: false) == nil)
        #expect(opener.open(Array(sealed[0].dropLast()), index: 0, isLast: false) == nil)
        #expect(opener.open(sealed[0] + [0], index: 0, isLast: false) == nil)
        #expect(opener.open(sealed[0], index: 256, isLast: false) == nil)
        // The object cut after its second chunk, and an object that continues after its last chunk.
        #expect(opener.open(sealed[1], index: 1, isLast: true) == nil)
        #expect(opener.open(sealed[2], index: 2, isLast: false) == nil)
        for bit in 0..<(sealed[0].count * 8) {
            var changed = sealed[0]
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(opener.open(changed, index: 0, isLast: false) == nil)
        }
    }

    @Test("Every object has a key of its own, and chunks of one do not open as another's")
    func keys() throws {
        let other = BlobSealer()
        let chunk = other.seal(chunks[0], isLast: false)
        #expect(!other.key.isEqual(to: key))
        #expect(opener.open(chunk, index: 0, isLast: false) == nil)
        #expect(BlobOpener(key: [UInt8](repeating: 1, count: 31)) == nil)
        #expect(BlobOpener(key: [UInt8](repeating: 1, count: 33)) == nil)
    }
}

@Suite("Labels of pieces")
struct ChunkLabelTests {
    private let root = [UInt8](repeating: 7, count: 32)
    private let fragment: [UInt8] = [1, 2, 3]

    @Test("A label is the root's tag and a proof of this very piece")
    func shape() {
        let label = ChunkLabel(root: root, index: 5, fragment: fragment)
        let tag = Array(SHA256.hash(Label.chunkTag.bytes, root).prefix(8))
        let proof = HMACSHA256.code(
            Label.chunkProof.bytes + [0, 0, 0, 5, 1, 2, 3],
            key: SecretBytes(copying: root)
        ).prefix(8)
        #expect(label.bytes == tag + proof)
        #expect(label.tag == ChunkLabel.tag(root: root))
        #expect(ChunkLabel(bytes: label.bytes) == label)
        #expect(ChunkLabel(bytes: label.bytes.dropLast()) == nil)
        #expect(ChunkLabel(bytes: label.bytes + [0]) == nil)
    }

    @Test("A label fits no other piece, place, object or label")
    func fits() throws {
        let label = ChunkLabel(root: root, index: 5, fragment: fragment)
        #expect(label.fits(root: root, index: 5, fragment: fragment))
        #expect(!label.fits(root: root, index: 4, fragment: fragment))
        #expect(!label.fits(root: root, index: 5, fragment: [1, 2, 4]))
        #expect(!label.fits(root: [UInt8](repeating: 8, count: 32), index: 5, fragment: fragment))
        for bit in 0..<128 {
            var changed = label.bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try #require(ChunkLabel(bytes: changed)).fits(root: root, index: 5, fragment: fragment) == false)
        }
    }
}
