/// The hash that names blobs and their parts.
///
/// Source: PROTOCOL §5.4.
package enum BlobHash {
    /// Hashes a part: `H("earshot/v1/blob", level ‖ bytes)`.
    ///
    /// - Parameter level: 0 for a sealed chunk, 1 for a list of hashes, 2 for the top with the size.
    package static func bytes(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var state = SHA256.State()
        state.update(Label.blobPart.bytes + [level])
        state.update(bytes)
        return state.finish()
    }
}
