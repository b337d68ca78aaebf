import Bytes

/// The content of the first fields of a picture, read without any library and without memory for pixels.
///
/// A receiver reads it before anything shows a picture that came from a peer, and calls `ImageLimits.check(_:)`.
public struct ImageHeader: Hashable, Sendable {
    /// The format, as the content tells it.
    public let format: ImageFormat
    /// Units: pixels, as they are stored.
    public let width: Int
    /// Units: pixels, as they are stored.
    public let height: Int

    /// Reads the header of a picture's bytes.
    ///
    /// - Throws: `unknownFormat`, `unsupportedFormat`, or `damaged` if the size is missing or 0.
    public init(reading bytes: [UInt8]) throws(MediaRefusal) {
        format = try ImageFormat(recognising: bytes)
        let size =
            switch format {
            case .jpeg: JPEGSegments(bytes).size
            case .png: PNGChunks.size(in: bytes)
            case .webp: WebPChunks.size(in: bytes)
            case .gif: Self.gifSize(bytes)
            }
        guard let size, size.width > 0, size.height > 0 else { throw .damaged(format) }
        (width, height) = size
    }

    /// Reads the logical screen of a GIF, which is the canvas of its frames.
    private static func gifSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var reader = ByteReader(bytes.dropFirst(6))
        guard let width = reader.littleEndian(UInt16.self), let height = reader.littleEndian(UInt16.self) else {
            return nil
        }
        return (Int(width), Int(height))
    }
}
