/// The two parts of a lossy picture whose ends stand in its headers: the first partition, and everything after it.
///
/// A decoder reads a partition from the front. So if its last bytes matter, the whole partition does. Source: RFC 6386,
/// 9.1.
enum WebPPartitions {
    /// Units: bytes at an end that may be padding of the encoder.
    private static let slack = 8
    private static let chunkStart = 20
    private static let headerByteCount = 10

    /// Whether the visible content depends on both parts up to their ends.
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
