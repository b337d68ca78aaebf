/// A picture made small for a place that shows PNG or Sixel alone.
///
/// Nothing of what came is handed on. There is none of formats that move and of what is damaged or too large.
package enum PicturePreview {
    /// The picture as PNG of our own making; nil where there is none.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - longestEdge: Units: pixels.
    package static func png(_ bytes: [UInt8], longestEdge: Int) -> [UInt8]? {
        bitmap(bytes).flatMap { PNGCodec.encode($0.fitting(longestEdge: longestEdge)) }
    }

    /// The picture as the sequence of a terminal that shows Sixel; nil where there is none.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - width: Units: pixels that it has at most, from 1 on.
    ///   - height: Units: pixels that it has at most, from 1 on.
    package static func sixel(_ bytes: [UInt8], width: Int, height: Int) -> [UInt8]? {
        bitmap(bytes).flatMap { bitmap in
            let longest = max(bitmap.width, bitmap.height)
            let edge = min(longest * width / bitmap.width, longest * height / bitmap.height)
            return SixelCodec.encode(bitmap.fitting(longestEdge: max(edge, 1)))
        }
    }

    private static func bitmap(_ bytes: [UInt8]) -> Bitmap? {
        let limits = ImageLimits.standard
        guard (try? limits.checkByteCount(bytes.count)) != nil, let header = try? ImageHeader(reading: bytes),
            (try? limits.check(header)) != nil
        else { return nil }
        return switch header.format {
        case .jpeg: JPEGCodec.header(of: bytes).flatMap { JPEGCodec.decode(bytes, header: $0) }
        case .png: PNGCodec.decode(bytes, width: header.width, height: header.height)
        case .webp, .gif: nil
        }
    }
}
