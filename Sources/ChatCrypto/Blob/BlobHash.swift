#if FastHashing
    import Crypto
#endif

/// The hash that names objects and their parts.
///
/// Source: PROTOCOL §5.4.
package enum BlobHash {
    /// Hashes a part: `H("earshot/v1/blob", level ‖ bytes)`.
    ///
    /// Objects are all that is hashed by the megabyte: with the trait `FastHashing` swift-crypto does it, which for this
    /// has the processor's instructions that libsodium has not.
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
