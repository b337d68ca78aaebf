/// A picture made small for a place that shows PNG alone.
package enum PicturePreview {
    /// The picture as PNG of our own making, so that nothing of what came is handed on; nil for formats that move and for
    /// what is damaged or too large.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - longestEdge: Units: pixels.
    package static func png(_ bytes: [UInt8], longestEdge: Int) -> [UInt8]? {
        let limits = ImageLimits.standard
        guard (try? limits.checkByteCount(bytes.count)) != nil, let header = try? ImageHeader(reading: bytes),
            (try? limits.check(header)) != nil
        else { return nil }
        let bitmap: Bitmap? =
            switch header.format {
            case .jpeg: JPEGCodec.header(of: bytes).flatMap { JPEGCodec.decode(bytes, header: $0) }
            case .png: PNGCodec.decode(bytes, width: header.width, height: header.height)
            case .webp, .gif: nil
            }
        return bitmap.flatMap { PNGCodec.encode($0.fitting(longestEdge: longestEdge)) }
    }
}
