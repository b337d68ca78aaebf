import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if DEBUG
    import Synchronization
#endif

/// The key encapsulation mechanism ML-KEM-768, by swift-crypto.
///
/// The library keeps a private key in ordinary memory and does not wipe it. So a key exists for one call only, made
/// from its seed. Source: FIPS 203.
enum KEM768 {
    /// Units: bytes of a public key.
    static let publicKeyByteCount = 1_184
    /// Units: bytes of an encapsulated secret.
    static let ciphertextByteCount = 1_088
    /// Units: bytes of a seed.
    static let seedByteCount = 64
    /// Units: bytes of a shared secret.
    static let secretByteCount = 32

    /// A private key, kept as its seed, and the public key.
    struct Key: Sendable {
        /// The seed, from which the private key is made for each use.
        ///
        /// Shape: 64 bytes, `d ‖ z`. Source: FIPS 203, algorithm 16.
        let seed: SecretBytes
        /// The encoded public key.
        ///
        /// Shape: 1,184 bytes.
        let publicKey: [UInt8]
    }

    /// A fresh secret and the ciphertext that carries it.
    struct Encapsulation: Sendable {
        /// The encapsulated secret.
        ///
        /// Shape: 1,088 bytes.
        let ciphertext: [UInt8]
        /// The shared secret.
        ///
        /// Shape: 32 bytes.
        let secret: SecretBytes
    }

    #if DEBUG
        /// The encapsulations that known-answer tests use in place of random ones, because the library has no
        /// deterministic encapsulation; in debug builds only and only within a task.
        @TaskLocal static var tape: EncapsulationTape?
    #endif

    /// Makes a new key.
    static func makeKey() -> Key {
        do {
            return try key(seed: .random(count: seedByteCount))
        } catch {
            preconditionFailure("the library refuses a seed only for its length")
        }
    }

    /// Makes the key of a seed.
    ///
    /// - Parameter seed: 64 bytes.
    /// - Throws: `malformed` for another length.
    static func key(seed: SecretBytes) throws(CryptoError) -> Key {
        let publicKey = try library { try privateKey(seed).publicKey.rawRepresentation }
        return Key(seed: seed, publicKey: Array(publicKey))
    }

    /// Makes a secret that only the owner of the public key can read.
    ///
    /// - Throws: `malformed` for bytes that are not a public key.
    static func encapsulate(to publicKey: [UInt8]) throws(CryptoError) -> Encapsulation {
        guard isPublicKey(publicKey) else { throw CryptoError(.malformed, "The ML-KEM-768 key is malformed.") }
        #if DEBUG
            if let tape { return tape.next() }
        #endif
        let result = try library { try MLKEM768.PublicKey(rawRepresentation: publicKey).encapsulate() }
        return Encapsulation(
            ciphertext: Array(result.encapsulated),
            secret: result.sharedSecret.withUnsafeBytes { SecretBytes(copying: $0) }
        )
    }

    /// Reads an encapsulated secret.
    ///
    /// A ciphertext of the right length always answers a secret. If it was made for another key, nobody else has that
    /// secret. Source: FIPS 203, section 6.3, implicit rejection.
    ///
    /// - Throws: `malformed` for a wrong length.
    static func decapsulate(_ ciphertext: [UInt8], seed: SecretBytes) throws(CryptoError) -> SecretBytes {
        try library {
            try privateKey(seed).decapsulate(ciphertext).withUnsafeBytes { SecretBytes(copying: $0) }
        }
    }

    /// Whether the bytes are a public key: the right length, and every coefficient below the modulus.
    ///
    /// The library's parser also expands the matrix, which takes 20 times as long. Source: FIPS 203, section 7.2.
    static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == publicKeyByteCount else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < coefficientsByteCount {
                let (low, middle, high) = (UInt16(bytes[start]), UInt16(bytes[start + 1]), UInt16(bytes[start + 2]))
                guard low | (middle & 0xF) << 8 < modulus, middle >> 4 | high << 4 < modulus else { return false }
                start += 3
            }
            return true
        }
    }

    /// The number q of FIPS 203.
    private static let modulus: UInt16 = 3_329
    /// Units: bytes of the 768 coefficients of 12 bits at the start of a public key.
    private static let coefficientsByteCount = 1_152

    private static func privateKey(_ seed: SecretBytes) throws -> MLKEM768.PrivateKey {
        try seed.withBytes { try MLKEM768.PrivateKey(seedRepresentation: $0, publicKey: nil) }
    }

    /// Calls the library; each of its errors means that the input is malformed.
    private static func library<Value>(_ body: () throws -> Value) throws(CryptoError) -> Value {
        do {
            return try body()
        } catch {
            throw CryptoError(.malformed, "The input for ML-KEM-768 is malformed.", cause: error)
        }
    }
}

#if DEBUG
    /// Prepared encapsulations; a test that reads past their end is wrong.
    final class EncapsulationTape: Sendable {
        private let rest: Mutex<[KEM768.Encapsulation]>

        init(_ encapsulations: [KEM768.Encapsulation]) {
            rest = Mutex(encapsulations)
        }

        var isExhausted: Bool { rest.withLock { $0.isEmpty } }

        func next() -> KEM768.Encapsulation {
            rest.withLock { rest in
                precondition(!rest.isEmpty, "the tape of encapsulations is at its end")
                return rest.removeFirst()
            }
        }
    }
#endif
