/// Padding that hides the length of content: every envelope has one of seven sizes.
///
/// Source: PROTOCOL §2.
enum Padding {
    /// Units: bytes of envelope header and body, without the release hash.
    static let buckets = [256, 512, 1_024, 2_048, 4_096, 8_192, 16_384]
    /// Units: bytes of every path probe.
    static let probeBucket = 256
    /// Units: bytes of the envelope's header.
    static let envelopeHeaderByteCount = 4

    /// Pads content to the smallest bucket that it fits: content ‖ 80 ‖ zeros; nil if it fits none.
    ///
    /// - Parameter overheadByteCount: the bytes of the envelope in addition to the padded content and the release hash.
    static func pad(_ content: [UInt8], overheadByteCount: Int, buckets: [Int] = buckets) -> [UInt8]? {
        let needed = overheadByteCount + content.count + 1
        guard let bucket = buckets.first(where: { $0 >= needed }) else { return nil }
        return content + [0x80] + [UInt8](repeating: 0, count: bucket - needed)
    }

    /// Removes the padding; nil if the padding is not the one that `pad` makes.
    static func strip(_ padded: [UInt8]) -> [UInt8]? {
        contentByteCount(padded).map { Array(padded[..<$0]) }
    }

    /// Counts the bytes of the content; nil if the padding is not the one that `pad` makes.
    static func contentByteCount(_ padded: [UInt8]) -> Int? {
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 0x80 else { return nil }
        return end
    }
}
