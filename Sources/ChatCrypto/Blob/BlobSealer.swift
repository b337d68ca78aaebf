import Bytes

/// Seals one object chunk by chunk, under a key that is made for it and seals nothing else.
///
/// A class, so that it has no copies and no two chunks ever share a nonce. An object must therefore be sealed once, and what came
/// out be kept: sealing it anew makes another object. Source: PROTOCOL §5.4.
package final class BlobSealer {
    /// What opens the object.
    package let key = SecretBytes.random(count: AEAD.keyByteCount)
    private var index: UInt32 = 0
    private var isFinished = false

    /// Makes the key.
    package init() {}

    /// Seals the next chunk; nothing may follow the last one.
    package func seal(_ chunk: [UInt8], isLast: Bool) -> [UInt8] {
        precondition(!isFinished, "an object ends with its last chunk")
        let nonce = BlobNonce.bytes(index: index, isLast: isLast)
        isFinished = isLast
        if !isLast { index += 1 }
        return AEAD.seal(chunk, key: key, nonce: nonce, associatedData: [])
    }
}

/// Opens the chunks of one object, in any order.
///
/// A chunk opens at its own place only, and the last one as the last one only, so that chunks cannot be swapped, left
/// out or added. Source: PROTOCOL §5.4.
package struct BlobOpener: Sendable {
    private let key: SecretBytes

    /// Takes the key of the object; nil if it is none.
    package init?(key: [UInt8]) {
        guard key.count == AEAD.keyByteCount else { return nil }
        self.key = SecretBytes(copying: key)
    }

    /// Opens the chunk at a place; nil if it is not the one that was sealed for it.
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
