import Crypto

/// The hash that names blobs and their parts.
///
/// Source: PROTOCOL §5.4.
package enum BlobHash {
    /// Hashes a part: `H("earshot/v1/blob", level ‖ bytes)`.
    ///
    /// Blobs are the only data that is hashed by the megabyte. So swift-crypto computes this hash: it uses processor
    /// instructions that libsodium does not use.
    ///
    /// - Parameter level: 0 for a sealed chunk, 1 for a list of hashes, 2 for the top with the size.
    package static func bytes(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var hash = Crypto.SHA256()
        hash.update(data: Label.blobPart.bytes + [level])
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
