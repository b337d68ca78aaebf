import Testing

@testable import ChatCrypto

@Suite("Hashes and codes")
struct HashTests {
    @Test(
        "SHA-256 and SHA-512 give the published digests, in one part or several",
        arguments: try VectorFile("sha2").cases
    )
    func hashes(vector: VectorCase) throws {
        let message = try vector.bytes("message")
        let half = message.count / 2
        #expect(try SHA256.hash(message) == vector.bytes("sha256"))
        #expect(try SHA512.hash(message) == vector.bytes("sha512"))
        #expect(try SHA256.hash(Array(message[..<half]), [], Array(message[half...])) == vector.bytes("sha256"))
        #expect(try SHA512.hash(Array(message[..<half]), [], Array(message[half...])) == vector.bytes("sha512"))
    }

    @Test("A labelled hash has the label and its length in front")
    func labels() {
        let label = Label.allCases[0]
        let prefix = [UInt8(label.rawValue.utf8.count)] + Array(label.rawValue.utf8)
        #expect(SHA256.hash(label: label, [1], [2, 3]) == SHA256.hash(prefix + [1, 2, 3]))
        #expect(SHA512.hash(label: label, [1], [2, 3]) == SHA512.hash(prefix + [1, 2, 3]))
        let secret = SecretBytes(copying: [1])
        #expect(SHA256.hash(label: label, secret: secret, [2, 3]) == SHA256.hash(prefix + [1, 2, 3]))
    }

    @Test("A part of an object is hashed under its label and level, by whatever this build hashes much with")
    func parts() {
        for count in [0, 1, 32, 32_784] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
            for level in [UInt8](0...2) {
                let hash = SHA256.hash(label: .blobPart, [level], bytes)
                #expect(BlobHash.bytes(level: level, ([9] + bytes).dropFirst()) == hash)
            }
        }
    }

    @Test("HMAC-SHA256 gives the published codes", arguments: try VectorFile("hmac_sha256").cases)
    func authenticates(vector: VectorCase) throws {
        let key = SecretBytes(copying: try vector.bytes("key"))
        let message = try vector.bytes("message")
        #expect(try HMACSHA256.code(message, key: key) == vector.bytes("code"))
        #expect(try HMACSHA256.code(Array(message[..<5]), Array(message[5...]), key: key) == vector.bytes("code"))
        #expect(try HMACSHA256.secretCode(message, key: key).exposed == vector.bytes("code"))
    }

    @Test("The short hash is SipHash-2-4 under the salt and eight zero bytes")
    func shortHash() {
        // The value comes from another program, which gives the published hash for the published key and message.
        #expect(ShortHash.of(0, salt: 0) == 0x6725_FE6F_BBE8_49E8)
        #expect(ShortHash.of(0x0001_0203_0405_0607, salt: 0x0001_0203_0405_0607) == 0x9054_A161_069B_8EEB)
    }

    @Test("Bytes are compared by content and length")
    func compares() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(constantTimeEqual([], []))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [0, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
    }
}
