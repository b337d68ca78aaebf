import Bytes

extension KEMExchange {
    private static let version: UInt8 = 1

    /// Encodes the exchange for sealed storage.
    ///
    /// Shape: version 1 (1) ‖ number (4) ‖ begun (4) ‖ stage (1) ‖ fields. Stage 0 is an owner: seed (64) ‖ units of
    /// the ciphertext that are there (18) ‖ their bytes (1,096); 1 an owner with the secret (32); 2 the other side:
    /// units of the key that are there (19) ‖ their bytes (1,192); 3 the other side with the secret (32) ‖ its
    /// ciphertext (1,096). Cursor and the peer's need are not stored: the sides tell each other again.
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(integer: number)
        writer.append(integer: begunAt)
        switch stage {
        case .offering(let seed, let ciphertext):
            writer.append(integer: UInt8(0))
            writer.append(seed)
            writer.append(ciphertext.encoded)
        case .agreed(let secret):
            writer.append(integer: UInt8(1))
            writer.append(secret)
        case .collecting(let key):
            writer.append(integer: UInt8(2))
            writer.append(key.encoded)
        case .answering(let secret, let blob):
            writer.append(integer: UInt8(3))
            writer.append(secret)
            writer.append(blob)
        }
        return writer.finish()
    }

    /// Reads the output of `encoded()`.
    ///
    /// - Throws: `malformed` for any other bytes.
    init(decoding record: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == Self.version, let number = reader.integer(UInt32.self),
            let begunAt = reader.integer(UInt32.self), let stage = Self.stage(decoding: &reader), reader.isAtEnd
        else { throw CryptoError(.malformed, "The record is not a key exchange.") }
        self.init(number, begunAt: begunAt, stage: stage)
        noteRestored()
    }

    private static func stage(decoding reader: inout SecretReader) -> Stage? {
        switch reader.integer(UInt8.self) {
        case 0:
            guard let seed = reader.secret(KEM768.seedByteCount),
                let ciphertext = assembly(ciphertextBlobByteCount, &reader)
            else { return nil }
            return .offering(seed: seed, ciphertext: ciphertext)
        case 1: return reader.secret(KEM768.secretByteCount).map { .agreed($0) }
        case 2: return assembly(keyBlobByteCount, &reader).map { .collecting(key: $0) }
        case 3:
            guard let secret = reader.secret(KEM768.secretByteCount), let blob = reader.bytes(ciphertextBlobByteCount)
            else { return nil }
            return .answering(secret, ciphertextBlob: blob)
        default: return nil
        }
    }

    /// Reads a blob that is not whole; one that was would have been used.
    private static func assembly(_ byteCount: Int, _ reader: inout SecretReader) -> BlobAssembly? {
        let encoded = reader.bytes(BlobAssembly.encodedByteCount(byteCount))
        let assembly = encoded.flatMap { BlobAssembly(decoding: $0, byteCount: byteCount) }
        return assembly.flatMap { $0.isWhole ? nil : $0 }
    }
}
