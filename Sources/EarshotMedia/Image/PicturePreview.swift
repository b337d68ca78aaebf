/// A small form of a picture for a place that shows only PNG or Sixel.
///
/// It passes on no byte of the source. Formats that move, and pictures that are damaged or too large, have no preview.
package enum PicturePreview {
    /// Makes a small PNG of the picture; nil if there is no preview.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - longestEdge: Units: pixels.
    package static func png(_ bytes: [UInt8], longestEdge: Int) -> [UInt8]? {
        bitmap(bytes).flatMap { PNGCodec.encode($0.fitting(longestEdge: longestEdge)) }
    }

    /// Makes the control sequence of the picture for a terminal that shows Sixel; nil if there is no preview.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - width: Units: pixels, the largest width, from 1 on.
    ///   - height: Units: pixels, the largest height, from 1 on.
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
