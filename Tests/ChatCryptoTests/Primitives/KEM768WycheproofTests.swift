import Testing

@testable import ChatCrypto

/// Cases that Wycheproof collects against mistakes of implementations.
@Suite("ML-KEM-768 of Wycheproof")
struct KEM768WycheproofTests {
    @Test("The seed gives the key, and the ciphertext its secret, genuine or not", arguments: try cases(of: .valid))
    func valid(known: VectorCase) throws {
        let seed = SecretBytes(copying: try known.bytes("seed"))
        let publicKey = try known.bytes("public key")
        #expect(try KEM768.key(seed: seed).publicKey == publicKey)
        #expect(KEM768.isPublicKey(publicKey))
        #expect(try KEM768.decapsulate(known.bytes("ciphertext"), seed: seed).exposed == known.bytes("secret"))
    }

    @Test("A public key with a coefficient that is not reduced is refused", arguments: try cases(of: .publicKey))
    func unreducedKey(known: VectorCase) throws {
        let publicKey = try known.bytes("public key")
        #expect(publicKey.count == KEM768.publicKeyByteCount)
        #expect(!KEM768.isPublicKey(publicKey))
        #expect(throws: CryptoError(.malformed, "")) { try KEM768.encapsulate(to: publicKey) }
    }

    @Test("A ciphertext that is too short or too long is refused", arguments: try cases(of: .ciphertext))
    func lengthOfCiphertext(known: VectorCase) throws {
        let key = try KEM768.key(seed: SecretBytes(copying: known.bytes("seed")))
        let ciphertext = try known.bytes("ciphertext")
        #expect(throws: CryptoError(.malformed, "")) { try KEM768.decapsulate(ciphertext, seed: key.seed) }
    }

    @Test("A seed that is too short or too long is refused", arguments: try cases(of: .seed))
    func lengthOfSeed(known: VectorCase) throws {
        let seed = SecretBytes(copying: try known.bytes("seed"))
        let ciphertext = [UInt8](repeating: 0, count: KEM768.ciphertextByteCount)
        #expect(throws: CryptoError(.malformed, "")) { try KEM768.key(seed: seed) }
        #expect(throws: CryptoError(.malformed, "")) { try KEM768.decapsulate(ciphertext, seed: seed) }
    }

    @Test("The file has cases of each kind, and no other")
    func kinds() throws {
        let counts = try Kind.allCases.map { try Self.cases(of: $0).count }
        #expect(counts == [7, 6, 3, 4])
        #expect(try VectorFile("wycheproof_mlkem768").cases.count == counts.reduce(0, +))
    }

    /// The value that decides about a case: none in a valid one, else the one that is refused.
    private enum Kind: CaseIterable {
        case valid, publicKey, ciphertext, seed

        init(_ known: VectorCase) throws {
            if try known.text("result") == "valid" {
                self = .valid
            } else if known.has("public key") {
                self = .publicKey
            } else {
                self = known.has("ciphertext") ? .ciphertext : .seed
            }
        }
    }

    private static func cases(of kind: Kind) throws -> [VectorCase] {
        try VectorFile("wycheproof_mlkem768").cases.filter { try Kind($0) == kind }
    }
}
