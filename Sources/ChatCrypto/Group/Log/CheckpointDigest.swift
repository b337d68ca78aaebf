/// The name of a checkpoint that has no room in a welcome and follows it in parts.
public struct CheckpointDigest: Hashable, Sendable {
    /// The SHA-256 of the checkpoint.
    ///
    /// Shape: 32 bytes.
    public let hash: [UInt8]
    /// The length of the checkpoint.
    ///
    /// Units: bytes.
    public let byteCount: UInt32

    /// Names a checkpoint; nil for a wrong length of the hash, and for a checkpoint that is empty or too long.
    init?(hash: [UInt8], byteCount: UInt32) {
        guard hash.count == SHA256.byteCount, 1...UInt32(GroupLimits.maximumCheckpointByteCount) ~= byteCount else {
            return nil
        }
        self.hash = hash
        self.byteCount = byteCount
    }

    /// Names an encoded checkpoint.
    init?(of checkpoint: [UInt8]) {
        self.init(hash: SHA256.hash(checkpoint), byteCount: UInt32(clamping: checkpoint.count))
    }

    /// Whether the bytes are the checkpoint.
    func fits(_ checkpoint: [UInt8]) -> Bool {
        checkpoint.count == Int(byteCount) && SHA256.hash(checkpoint) == hash
    }
}

extension GroupWelcome {
    /// Reads and verifies the state that follows the welcome.
    ///
    /// - Throws: `malformed`.
    public func checkpoint(from bytes: [UInt8]) throws(CryptoError) -> GroupCheckpoint {
        guard let digest, digest.fits(bytes) else {
            throw CryptoError(.malformed, "The bytes are not the state that the welcome names.")
        }
        return try GroupCheckpoint(decoding: bytes, foundingKey: foundingKey)
    }
}
