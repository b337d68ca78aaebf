/// The two parts of a lossy picture whose ends its headers tell: the first partition, and all that follows.
///
/// A decoder reads a partition from the front, so that if its last bytes count, all of it does. Source: RFC 6386, 9.1.
enum WebPPartitions {
    /// Units: bytes at an end that may be padding of the encoder's.
    private static let slack = 8
    private static let chunkStart = 20
    private static let headerByteCount = 10

    /// Whether both parts are used to their ends by what is seen.
    static func areFull(in picture: UnsafeRawBufferPointer, showing bitmap: Bitmap, _ features: WebPCodec.Features)
        -> Bool
    {
        let bytes = [UInt8](picture)
        guard bytes.count >= chunkStart + headerByteCount, Array(bytes[12..<16]) == Array("VP8 ".utf8) else {
            return false
        }
        func little(_ start: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[start + $1]) << ($1 * 8) }
        }
        let end = chunkStart + little(16, 4)
        let firstEnd = chunkStart + headerByteCount + little(chunkStart, 3) >> 5
        guard end <= bytes.count, firstEnd + slack <= end, firstEnd >= chunkStart + headerByteCount + slack else {
            return false
        }
        return [firstEnd, end].allSatisfy { partitionEnd in
            var changed = bytes
            for place in partitionEnd - slack..<partitionEnd { changed[place] ^= 0xFF }
            return changed.withUnsafeBytes { WebPCodec.decode($0, features) } != bitmap
        }
    }
}
