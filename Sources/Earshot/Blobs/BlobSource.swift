import MeshCore

/// A small object whose pieces are to be spread, read from its file one after the other when their turn comes.
package struct BlobSource: Hashable, Sendable {
    let file: String
    let reference: BlobReference

    /// How many pieces there are.
    package var pieceCount: Int { ChunkPiece.count(of: reference) }

    /// The body of a piece's envelope; nil if the file is gone.
    package func body(_ index: Int, in folder: BlobFolder) -> [UInt8]? {
        ChunkPiece(index, of: reference) { folder.read(file, at: $0, count: $1) }?.body
    }
}
