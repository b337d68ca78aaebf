/// Hides the length of content: every envelope has one of seven sizes.
///
/// Source: PROTOCOL §2.
enum Padding {
    /// Units: bytes of envelope header and body, without the release hash.
    static let buckets = [256, 512, 1_024, 2_048, 4_096, 8_192, 16_384]
    /// Units: bytes; a path probe has this size and no other.
    static let probeBucket = 256
    /// Units: bytes of the envelope's header.
    static let envelopeHeaderByteCount = 4

    /// Content ‖ 80 ‖ zeros, so that it fills the smallest bucket it fits; nil if it fits none.
    ///
    /// - Parameter overheadByteCount: everything in the envelope besides the padded content and the release hash.
    static func pad(_ content: [UInt8], overheadByteCount: Int, buckets: [Int] = buckets) -> [UInt8]? {
        let needed = overheadByteCount + content.count + 1
        guard let bucket = buckets.first(where: { $0 >= needed }) else { return nil }
        return content + [0x80] + [UInt8](repeating: 0, count: bucket - needed)
    }

    /// The content; nil if the padding is not as `pad` makes it.
    static func strip(_ padded: [UInt8]) -> [UInt8]? {
        contentByteCount(padded).map { Array(padded[..<$0]) }
    }

    /// The length of the content; nil if the padding is not as `pad` makes it.
    static func contentByteCount(_ padded: [UInt8]) -> Int? {
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 0x80 else { return nil }
        return end
    }
}
