import Bytes

/// Seals one blob chunk by chunk, under a key that is made for this blob and seals nothing else.
///
/// The type is a class, so it has no copies, and no two chunks ever share a nonce. Seal a blob once and keep the
/// result: sealing the same data again makes another blob. Source: PROTOCOL §5.4.
package final class BlobSealer {
    /// The key that opens the blob.
    package let key = SecretBytes.random(count: AEAD.keyByteCount)
    private var index: UInt32 = 0
    private var isFinished = false

    /// Makes a random key.
    package init() {}

    /// Seals the next chunk; no chunk may follow the last one.
    package func seal(_ chunk: [UInt8], isLast: Bool) -> [UInt8] {
        precondition(!isFinished, "an object ends with its last chunk")
        let nonce = BlobNonce.bytes(index: index, isLast: isLast)
        isFinished = isLast
        if !isLast { index += 1 }
        return AEAD.seal(chunk, key: key, nonce: nonce, associatedData: [])
    }
}

/// Opens the chunks of one blob, in any order.
///
/// A chunk opens only at its own index, and the last chunk opens only as the last one. Chunks can therefore not be
/// swapped, left out or added. Source: PROTOCOL §5.4.
package struct BlobOpener: Sendable {
    private let key: SecretBytes

    /// Takes the key of the blob; nil if the byte count is not that of a key.
    package init?(key: [UInt8]) {
        guard key.count == AEAD.keyByteCount else { return nil }
        self.key = SecretBytes(copying: key)
    }

    /// Opens the chunk at an index; nil if it was not sealed for this index.
    package func open(_ sealed: [UInt8], index: UInt32, isLast: Bool) -> [UInt8]? {
        AEAD.open(sealed, key: key, nonce: BlobNonce.bytes(index: index, isLast: isLast), associatedData: [])
    }
}

/// The nonce of a chunk.
///
/// Shape: 7 zero bytes ‖ index u32 ‖ 1 for the last chunk, else 0.
private enum BlobNonce {
    static func bytes(index: UInt32, isLast: Bool) -> [UInt8] {
        [UInt8](repeating: 0, count: 7) + index.bigEndianBytes + [isLast ? 1 : 0]
    }
}
