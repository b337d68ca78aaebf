import Bytes

/// A sealer for an export of the history under a passphrase.
///
/// It works in pieces, so that memory never holds the whole export.
///
/// As for the vault, Argon2id stretches the passphrase, and a commitment detects a wrong passphrase before anything is
/// opened. Each piece opens only at its own index, and the last one only as the last one. Pieces can therefore not be
/// swapped or left out, and an export that was cut off is noticed. The type is a class, so it has no copies, and no two
/// pieces ever share a nonce.
///
/// Shape: header 65 bytes, integers big-endian: magic `EARSHOTX` 8 · algorithm 1, as in `VaultFile` · iterations 4 ·
/// memory 4, KiB · salt 16 · commitment 32. Then pieces of 65,536 bytes, the last one shorter or as long, each sealed
/// with 7 zero bytes ‖ index u32 ‖ 1 for the last piece, else 0, as nonce and the header as associated data. Source:
/// PROTOCOL §11.
package final class ArchiveSealer {
    /// The bytes that precede the pieces.
    package let header: [UInt8]
    private let key: SecretBytes
    private var index: UInt32 = 0
    private var isFinished = false

    /// Makes a key for one export.
    ///
    /// - Parameter passphrase: UTF-8 of its NFKC form; the caller normalises.
    /// - Throws: `outOfMemory`.
    package init(passphrase: SecretBytes, cost: PassphraseCost) throws(CryptoError) {
        let salt = randomBytes(Argon2id.saltByteCount)
        let keys = try ArchiveKeys(passphrase: passphrase, salt: salt, cost: cost)
        key = keys.key
        header =
            ArchiveKeys.magic + [ArchiveKeys.algorithm] + cost.iterations.bigEndianBytes
            + cost.memoryKibibytes.bigEndianBytes + salt + keys.commitment
    }

    /// Seals the next piece; no piece may follow the last one.
    package func seal(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
        precondition(!isFinished && index < .max, "an export ends with its last piece")
        precondition(
            isLast ? piece.count <= Self.segmentByteCount : piece.count == Self.segmentByteCount,
            "pieces are full"
        )
        let nonce = ArchiveKeys.nonce(index: index, isLast: isLast)
        isFinished = isLast
        if !isLast { index += 1 }
        return AEAD.seal(piece, key: key, nonce: nonce, associatedData: header)
    }

    /// Units: bytes of every piece except the last, before sealing.
    package static let segmentByteCount = 65_536
    /// Units: bytes of every piece except the last, after sealing.
    package static let sealedSegmentByteCount = segmentByteCount + AEAD.tagByteCount
}

/// Opens the pieces of one sealed export.
package struct ArchiveOpener: Sendable {
    private let header: [UInt8]
    private let key: SecretBytes

    /// Units: bytes before the first piece.
    package static let headerByteCount = 65

    /// Whether a file begins like a sealed export.
    package static func isHeader(_ bytes: [UInt8]) -> Bool { bytes.starts(with: ArchiveKeys.magic) }

    /// Takes the passphrase of an export; the cost is checked before any work.
    ///
    /// - Parameter passphrase: UTF-8 of its NFKC form; the caller normalises.
    /// - Throws: `malformed`, `unknownVersion`, `outOfBounds`, `outOfMemory`, `wrongPassphrase`.
    package init(header: [UInt8], passphrase: SecretBytes) throws(CryptoError) {
        var reader = ByteReader(header)
        guard reader.bytes(ArchiveKeys.magic.count) == ArchiveKeys.magic, let algorithm = reader.integer(UInt8.self)
        else {
            throw CryptoError(.malformed, "This is not a sealed export of Earshot.")
        }
        guard algorithm == ArchiveKeys.algorithm else {
            throw CryptoError(.unknownVersion, "The export comes from an unknown version of Earshot.")
        }
        guard let iterations = reader.integer(UInt32.self), let memory = reader.integer(UInt32.self),
            let salt = reader.bytes(Argon2id.saltByteCount), let commitment = reader.bytes(32), reader.isAtEnd
        else {
            throw CryptoError(.malformed, "The export ends within its first bytes.")
        }
        let cost = try PassphraseCost(iterations: iterations, memoryKibibytes: memory)
        let keys = try ArchiveKeys(passphrase: passphrase, salt: salt, cost: cost)
        guard constantTimeEqual(keys.commitment, commitment) else {
            throw CryptoError(.wrongPassphrase, "The passphrase is wrong.")
        }
        self.header = header
        key = keys.key
    }

    /// Opens the piece at an index; nil if it was not sealed for this index.
    package func open(_ sealed: [UInt8], index: UInt32, isLast: Bool) -> [UInt8]? {
        AEAD.open(sealed, key: key, nonce: ArchiveKeys.nonce(index: index, isLast: isLast), associatedData: header)
    }
}

/// The values derived from a passphrase and an export's salt.
private struct ArchiveKeys {
    static let magic = Array("EARSHOTX".utf8)
    static let algorithm: UInt8 = 1

    let key: SecretBytes
    let commitment: [UInt8]

    init(passphrase: SecretBytes, salt: [UInt8], cost: PassphraseCost) throws(CryptoError) {
        let stretched = try VaultFile.stretch(passphrase, salt: salt, cost: cost)
        let output = HKDF.derive(salt: salt, inputKey: stretched, info: Label.export, count: 64)
        key = output.slice(0..<32)
        commitment = output.withBytes { Array($0[32..<64]) }
    }

    static func nonce(index: UInt32, isLast: Bool) -> [UInt8] {
        [UInt8](repeating: 0, count: 7) + index.bigEndianBytes + [isLast ? 1 : 0]
    }
}
