import Testing

@testable import ChatCrypto

@Suite("ML-KEM-768")
struct KEM768Tests {
    @Test("The known seed gives the known key, and the known ciphertext the known secret", arguments: try vectors())
    func knownAnswers(known: VectorCase) throws {
        let seed = SecretBytes(copying: try known.bytes("seed"))
        let key = try KEM768.key(seed: seed)
        #expect(key.seed.isEqual(to: seed))
        #expect(key.publicKey == (try known.bytes("public key")))
        #expect(KEM768.isPublicKey(key.publicKey))
        var ciphertext = try known.bytes("ciphertext")
        #expect(try KEM768.decapsulate(ciphertext, seed: seed).exposed == known.bytes("secret"))
        ciphertext[0] ^= 1
        let rejected = try KEM768.decapsulate(ciphertext, seed: seed)
        #expect(rejected.exposed == (try known.bytes("secret of a changed ciphertext")))
    }

    private static func vectors() throws -> [VectorCase] { try VectorFile("ml_kem_768").cases }

    @Test("The owner reads what was encapsulated to its key, and nobody else does")
    func agrees() throws {
        let (key, other) = (KEM768.makeKey(), KEM768.makeKey())
        #expect(key.seed.count == KEM768.seedByteCount && key.publicKey != other.publicKey)
        let made = try KEM768.encapsulate(to: key.publicKey)
        #expect(made.ciphertext.count == KEM768.ciphertextByteCount)
        #expect(made.secret.count == KEM768.secretByteCount)
        #expect(try KEM768.decapsulate(made.ciphertext, seed: key.seed).isEqual(to: made.secret))
        #expect(try !KEM768.decapsulate(made.ciphertext, seed: other.seed).isEqual(to: made.secret))
        #expect(try !KEM768.encapsulate(to: key.publicKey).secret.isEqual(to: made.secret))
    }

    @Test("Every changed byte of a ciphertext gives another secret, and no error")
    func implicitRejection() throws {
        let key = KEM768.makeKey()
        let made = try KEM768.encapsulate(to: key.publicKey)
        for index in stride(from: 0, to: made.ciphertext.count, by: 31) {
            var changed = made.ciphertext
            changed[index] ^= 0x10
            #expect(try !KEM768.decapsulate(changed, seed: key.seed).isEqual(to: made.secret))
        }
    }

    @Test("Seeds, keys and ciphertexts of a wrong length are malformed")
    func wrongLengths() throws {
        let key = KEM768.makeKey()
        for count in [0, 1, 63, 65, 128] {
            let seed = SecretBytes.random(count: count)
            #expect(throws: CryptoError(.malformed, "")) { try KEM768.key(seed: seed) }
            let ciphertext = [UInt8](repeating: 0, count: KEM768.ciphertextByteCount)
            #expect(throws: CryptoError(.malformed, "")) { try KEM768.decapsulate(ciphertext, seed: seed) }
        }
        for count in [0, 1, 1_087, 1_089, 1_184] {
            let ciphertext = [UInt8](repeating: 0, count: count)
            #expect(throws: CryptoError(.malformed, "")) { try KEM768.decapsulate(ciphertext, seed: key.seed) }
        }
        for publicKey in [[], Array(key.publicKey.dropLast()), key.publicKey + [0]] {
            #expect(!KEM768.isPublicKey(publicKey))
            #expect(throws: CryptoError(.malformed, "")) { try KEM768.encapsulate(to: publicKey) }
        }
    }

    @Test("Each of the 768 coefficients has to be below 3,329", arguments: [3_328, 3_329, 4_095] as [UInt16])
    func coefficients(value: UInt16) throws {
        let key = KEM768.makeKey().publicKey
        let isAllowed = value < 3_329
        for index in 0..<768 {
            var changed = key
            let start = index / 2 * 3
            if index % 2 == 0 {
                changed[start] = UInt8(value & 0xFF)
                changed[start + 1] = changed[start + 1] & 0xF0 | UInt8(value >> 8)
            } else {
                changed[start + 1] = changed[start + 1] & 0x0F | UInt8(value & 0xF) << 4
                changed[start + 2] = UInt8(value >> 4)
            }
            #expect(KEM768.isPublicKey(changed) == isAllowed, "coefficient \(index)")
            guard !isAllowed, index % 64 == 0 else { continue }
            #expect(throws: CryptoError(.malformed, "")) { try KEM768.encapsulate(to: changed) }
        }
    }

    @Test("The own check of keys agrees with the library's parser", arguments: [41, 42] as [UInt64])
    func agreesWithTheLibrary(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        let key = KEM768.makeKey().publicKey
        for _ in 0..<300 {
            let damaged = random.damaged(key)
            #expect(KEM768.isPublicKey(damaged) == libraryAccepts(damaged))
        }
    }
}
