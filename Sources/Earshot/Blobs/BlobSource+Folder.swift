import ChatCore

extension BlobSource {
    /// Returns the body of a piece's envelope; nil if the file is gone.
    package func body(_ index: Int, in folder: BlobFolder) -> [UInt8]? {
        body(index) { folder.read(file, at: $0, count: $1) }
    }
}
