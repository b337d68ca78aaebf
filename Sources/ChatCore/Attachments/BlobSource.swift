/// A small attachment that is spread in pieces, each read from its file at its turn.
package struct BlobSource: Hashable, Sendable {
    package let file: String
    let reference: BlobReference
    /// Whether it is the text of a message.
    let isText: Bool

    /// The number of pieces.
    package var fragmentCount: Int { ChunkFragment.count(of: reference) }

    /// Builds the body of a piece's envelope; nil if the file is missing.
    ///
    /// - Parameter read: Reads the given number of bytes from an offset on.
    package func body(_ index: Int, read: (UInt64, Int) -> [UInt8]?) -> [UInt8]? {
        ChunkFragment(index, of: reference, read: read)?.body
    }
}
