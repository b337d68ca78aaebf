#if FastHashing
    import Crypto
#endif

/// The hash that names blobs and their parts.
///
/// Source: PROTOCOL §5.4.
package enum BlobHash {
    /// Hashes a part: `H("earshot/v1/blob", level ‖ bytes)`.
    ///
    /// Blobs are the only data that is hashed by the megabyte. With the trait `FastHashing`, swift-crypto computes this
    /// hash, because it uses processor instructions for it that libsodium does not use.
    ///
    /// - Parameter level: 0 for a sealed chunk, 1 for a list of hashes, 2 for the top with the size.
    package static func bytes(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let label = Label.blobPart
        #if FastHashing
            var hash = Crypto.SHA256()
            hash.update(data: label.bytes + [level])
            bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
            return Array(hash.finalize())
        #else
            return SHA256.hash(label: label, [level], Array(bytes))
        #endif
    }
}
