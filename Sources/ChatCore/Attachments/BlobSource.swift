/// A small object whose pieces are to be spread, read from its file one after the other when their turn comes.
package struct BlobSource: Hashable, Sendable {
    package let file: String
    let reference: BlobReference

    /// How many pieces there are.
    package var pieceCount: Int { ChunkPiece.count(of: reference) }

    /// The body of a piece's envelope; nil if the file is gone.
    ///
    /// - Parameter read: Reads so many bytes of the file from an offset on.
    package func body(_ index: Int, read: (UInt64, Int) -> [UInt8]?) -> [UInt8]? {
        ChunkPiece(index, of: reference, read: read)?.body
    }
}
