import Bytes

/// The file that holds the master key under a passphrase: `vault.bin`.
///
/// Argon2id stretches the passphrase, which never keys the cipher itself. A commitment beside the sealed key is
/// compared first, so that a ciphertext opens under one passphrase only, and a wrong passphrase is one clear error.
///
/// Shape: 125 bytes, integers big-endian:
///
///     offset  bytes  name
///          0      8  magic `EARSHOTV`
///          8      1  algorithm: 1 = Argon2id 1.3 with one lane, HKDF-SHA256, AES-256-GCM
///          9      4  iterations
///         13      4  memory, KiB
///         17     16  salt, of Argon2id and of HKDF
///         33     12  nonce
///         45     32  commitment
///         77     48  the master key, sealed with bytes 0..<77 as associated data
///
/// Source: PROTOCOL §11.
package struct VaultFile: Equatable, Sendable {
    /// The file's content.
    package let bytes: [UInt8]
    /// The cost of one guess at the passphrase.
    package let cost: PassphraseCost

    /// Units: bytes.
    package static let byteCount = 125

    private static let magic = Array("EARSHOTV".utf8)
    private static let algorithm: UInt8 = 1

    /// Takes a file's bytes and checks their form; the passphrase is not needed yet.
    ///
    /// - Throws: `malformed`, `unknownVersion`, or `outOfBounds` for a cost outside the allowed bounds.
    package init(decoding bytes: [UInt8]) throws(CryptoError) {
        guard bytes.starts(with: VaultFile.magic), bytes.count > Offset.algorithm else {
            throw CryptoError(.malformed, "This is not an Earshot vault.")
        }
        guard bytes[Offset.algorithm] == VaultFile.algorithm else {
            throw CryptoError(.unknownVersion, "The vault comes from an unknown version of Earshot.")
        }
        guard bytes.count == VaultFile.byteCount,
            let iterations = UInt32(bigEndianBytes: bytes[Offset.iterations..<Offset.memory]),
            let memory = UInt32(bigEndianBytes: bytes[Offset.memory..<Offset.salt])
        else {
            throw CryptoError(.malformed, "The vault has a wrong length.")
        }
        cost = try PassphraseCost(iterations: iterations, memoryKibibytes: memory)
        self.bytes = bytes
    }

    /// Closes a master key under a passphrase.
    ///
    /// - Parameter passphrase: UTF-8 of its NFKC form; the caller normalises.
    /// - Throws: `outOfMemory`.
    package init(
        closing masterKey: MasterKey,
        passphrase: SecretBytes,
        cost: PassphraseCost
    ) throws(CryptoError) {
        let salt = randomBytes(Argon2id.saltByteCount)
        let stretched = try VaultFile.stretch(passphrase, salt: salt, cost: cost)
        let (wrappingKey, commitment) = VaultFile.derive(from: stretched, salt: salt)
        let nonce = randomBytes(AEAD.nonceByteCount)
        let header =
            VaultFile.magic + [VaultFile.algorithm] + cost.iterations.bigEndianBytes
            + cost.memoryKibibytes.bigEndianBytes + salt + nonce + commitment
        bytes = header + AEAD.sealSecret(masterKey.secret, key: wrappingKey, nonce: nonce, associatedData: header)
        self.cost = cost
    }

    /// Opens the vault.
    ///
    /// - Throws: `wrongPassphrase`; `authenticationFailed` if the passphrase is right and the file damaged;
    ///   `outOfMemory`.
    package func open(passphrase: SecretBytes) throws(CryptoError) -> MasterKey {
        try open(stretched: VaultFile.stretch(passphrase, salt: salt, cost: cost))
    }

    /// Makes the vault under another passphrase, with the same master key.
    ///
    /// - Throws: the errors of `open` for the old passphrase.
    package func changingPassphrase(
        from old: SecretBytes,
        to new: SecretBytes,
        cost: PassphraseCost
    ) throws(CryptoError) -> VaultFile {
        try VaultFile(closing: open(passphrase: old), passphrase: new, cost: cost)
    }

    // MARK: - Steps

    /// The positions of the fields.
    private enum Offset {
        static let algorithm = 8
        static let iterations = 9
        static let memory = 13
        static let salt = 17
        static let nonce = 33
        static let commitment = 45
        static let sealed = 77
    }

    private var salt: [UInt8] { Array(bytes[Offset.salt..<Offset.nonce]) }

    static func stretch(
        _ passphrase: SecretBytes,
        salt: [UInt8],
        cost: PassphraseCost
    ) throws(CryptoError) -> SecretBytes {
        try Argon2id.derive(
            passphrase: passphrase,
            salt: salt,
            iterations: UInt64(cost.iterations),
            memoryByteCount: Int(cost.memoryKibibytes) * 1024,
            count: 32
        )
    }

    /// Opens with the stretched form of the passphrase: all steps after the slow one.
    func open(stretched: SecretBytes) throws(CryptoError) -> MasterKey {
        let (wrappingKey, commitment) = VaultFile.derive(from: stretched, salt: salt)
        guard constantTimeEqual(commitment, Array(bytes[Offset.commitment..<Offset.sealed])) else {
            throw CryptoError(.wrongPassphrase, "The passphrase is wrong.")
        }
        guard
            let secret = AEAD.openSecret(
                bytes[Offset.sealed...],
                key: wrappingKey,
                nonce: Array(bytes[Offset.nonce..<Offset.commitment]),
                associatedData: Array(bytes[..<Offset.sealed])
            )
        else {
            throw CryptoError(.authenticationFailed, "The passphrase is right, but the vault is damaged.")
        }
        return MasterKey(secret: secret)
    }

    private static func derive(from stretched: SecretBytes, salt: [UInt8]) -> (SecretBytes, [UInt8]) {
        let output = HKDF.derive(salt: salt, inputKey: stretched, info: Label.vault, count: 64)
        return (output.slice(0..<32), output.withBytes { Array($0[32..<64]) })
    }
}
