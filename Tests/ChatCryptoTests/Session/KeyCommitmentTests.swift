import Testing

@testable import ChatCrypto

@Suite("Key commitment")
struct KeyCommitmentTests {
    @Test("A packet crafted to open under two keys is good AES-GCM under both, and opens under the committed one only")
    func twoKeyPacket() throws {
        let messageKeys = [SecretBytes.random(count: 32), SecretBytes.random(count: 32)]
        let associatedData = randomBytes(32)
        let nonce = randomBytes(12)
        let header = randomBytes(MessageSeal.sealedHeaderByteCount)
        let derived = messageKeys.map { MessageKeys($0, headerNonce: nonce) }
        let crafted = TwoKeyCiphertext(derived, associatedData: associatedData + nonce + header).sealed

        for keys in derived {
            let opened = AEAD.open(
                crafted,
                key: keys.bodyKey,
                nonce: keys.bodyNonce,
                associatedData: associatedData + nonce + header
            )
            #expect(opened != nil, "without a commitment the packet would open under this key")
        }
        for committed in 0...1 {
            let message = nonce + header + derived[committed].commitment + crafted
            let parts = try #require(MessageSeal(message[...]))
            #expect(parts.openBody(messageKeys[committed], associatedData: associatedData) != nil)
            #expect(parts.openBody(messageKeys[1 - committed], associatedData: associatedData) == nil)
        }
    }
}

/// A ciphertext with one block chosen so that it has the same tag under two keys.
///
/// Source: Dodis, Grubbs, Ristenpart, Woodage 2018, "Fast Message Franking", section 3.
private struct TwoKeyCiphertext {
    private(set) var sealed: [UInt8]

    init(_ keys: [MessageKeys], associatedData: [UInt8]) {
        var blocks = [UInt128(bigEndian: 7), 0, UInt128(bigEndian: 9)]
        let points = keys.map { Self.hashKey($0) }
        func tag(_ index: Int) -> UInt128 {
            let mask = Self.tag(keys[index], associatedData: [])
            return mask ^ Self.ghash(points[index], Self.blocks(of: associatedData), blocks, associatedData.count)
        }
        // One block and the lengths follow the middle block, so its factor is the cube of the point.
        let cubes = points.map { Field.multiply($0, Field.multiply($0, $0)) }
        blocks[1] = Field.multiply(tag(0) ^ tag(1), Field.inverse(cubes[0] ^ cubes[1]))
        sealed = (blocks + [tag(0)]).flatMap(Self.bytes)
    }

    /// Returns the tag of an empty text.
    private static func tag(_ keys: MessageKeys, associatedData: [UInt8]) -> UInt128 {
        let sealed = AEAD.seal([], key: keys.bodyKey, nonce: keys.bodyNonce, associatedData: associatedData)
        return blocks(of: sealed)[0]
    }

    /// Computes the point of GHASH from two tags: their difference is that of the blocks times the square of the point.
    private static func hashKey(_ keys: MessageKeys) -> UInt128 {
        let one = [UInt8](repeating: 1, count: 16)
        let two = [UInt8](repeating: 2, count: 16)
        let difference = tag(keys, associatedData: one) ^ tag(keys, associatedData: two)
        let square = Field.multiply(difference, Field.inverse(blocks(of: one)[0] ^ blocks(of: two)[0]))
        return (0..<127).reduce(square) { root, _ in Field.multiply(root, root) }
    }

    private static func ghash(_ point: UInt128, _ data: [UInt128], _ text: [UInt128], _ dataByteCount: Int) -> UInt128 {
        let lengths = UInt128(dataByteCount * 8) << 64 | UInt128(text.count * 128)
        return (data + text + [lengths]).reduce(0) { Field.multiply($0 ^ $1, point) }
    }

    private static func blocks(of bytes: [UInt8]) -> [UInt128] {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            (0..<16).reduce(UInt128(0)) { $0 << 8 | UInt128(start + $1 < bytes.count ? bytes[start + $1] : 0) }
        }
    }

    private static func bytes(_ block: UInt128) -> [UInt8] {
        stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: block >> UInt128($0)) }
    }
}

/// The field of GHASH, in which the most significant bit is the constant term.
private enum Field {
    static func multiply(_ left: UInt128, _ right: UInt128) -> UInt128 {
        var product: UInt128 = 0
        var shifted = left
        for bit in stride(from: 127, through: 0, by: -1) {
            if right >> UInt128(bit) & 1 == 1 { product ^= shifted }
            shifted = shifted >> 1 ^ (shifted & 1 == 1 ? 0xE1 << 120 : 0)
        }
        return product
    }

    /// Computes the power 2^128 - 2, which is the inverse.
    static func inverse(_ value: UInt128) -> UInt128 {
        var power = value
        var inverse: UInt128 = 1 << 127
        for _ in 1..<128 {
            power = multiply(power, power)
            inverse = multiply(inverse, power)
        }
        return inverse
    }
}
