import Testing

@testable import ChatCrypto

@Suite("Argon2id")
struct Argon2idTests {
    @Test("The hash is the one another implementation makes", arguments: try VectorFile("argon2id").cases)
    func derives(vector: VectorCase) throws {
        let expected = try vector.bytes("output")
        let key = try Argon2id.derive(
            passphrase: SecretBytes(copying: vector.bytes("passphrase")),
            salt: vector.bytes("salt"),
            iterations: UInt64(vector.number("iterations")),
            memoryByteCount: vector.number("kibibytes") * 1024,
            count: expected.count
        )
        #expect(key.exposed == expected)
    }

    @Test(
        "A cost Argon2 does not know is refused before any work",
        arguments: [(0, 65_536), (UInt64(UInt32.max) + 1, 65_536), (1, 8_191), (1, -1), (1, Int.max)] as [(UInt64, Int)]
    )
    func refusesBadCosts(iterations: UInt64, memoryByteCount: Int) {
        #expect(throws: CryptoError(.outOfBounds, "")) {
            try Argon2id.derive(
                passphrase: SecretBytes(copying: []),
                salt: [UInt8](repeating: 0, count: 16),
                iterations: iterations,
                memoryByteCount: memoryByteCount,
                count: 32
            )
        }
    }
}
