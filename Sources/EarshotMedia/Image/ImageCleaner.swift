public import Foundation

/// A metadata stripper for pictures: it removes everything that is not visible, such as places, cameras, names, dates,
/// previews, comments and bytes after the end.
///
/// The result has the format of the source, the colours of sRGB without a profile, and needs no turning. A picture
/// whose pixels need no change keeps them: JPEG keeps its coefficients, WebP its frames, PNG and GIF every pixel.
/// Colours of another profile, a rotation that does not fit a JPEG's blocks and a downscale change the pixels of JPEG
/// and WebP, which are then packed again. Density, the unit of printers, is removed with the rest.
///
/// Cleaning takes from milliseconds to seconds of processor time: call it on a thread that may block.
public struct ImageCleaner: Sendable {
    private let limits: ImageLimits

    /// Makes a cleaner.
    public init(limits: ImageLimits = .standard) {
        self.limits = limits
    }

    /// Strips a picture of its metadata.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - longestEdge: Units: pixels. A JPEG, PNG or still WebP with a longer edge is made smaller; others keep their
    ///     size.
    /// - Throws: The refusal of a picture that cannot be cleaned, with the reason.
    public func clean(_ bytes: [UInt8], longestEdge: Int? = nil) throws(MediaRefusal) -> CleanImage {
        try limits.checkByteCount(bytes.count)
        let header = try ImageHeader(reading: bytes)
        try limits.check(header)
        let edge = longestEdge.map { max(1, $0) }
        return switch header.format {
        case .jpeg: try JPEGCleaner(limits: limits, longestEdge: edge).clean(bytes)
        case .png: try PNGCleaner(longestEdge: edge).clean(bytes)
        case .webp: try WebPCleaner(limits: limits, longestEdge: edge).clean(bytes)
        case .gif: try GIFCleaner(limits: limits).clean(bytes)
        }
    }

    /// Strips a picture file on this machine of its metadata.
    ///
    /// - Parameters:
    ///   - url: The location of the file, of which at most the allowed bytes are read.
    ///   - longestEdge: Units: pixels. A JPEG, PNG or still WebP with a longer edge is made smaller; others keep their
    ///     size.
    /// - Throws: The refusal of a picture that cannot be read or cleaned, with the reason.
    public func clean(fileAt url: URL, longestEdge: Int? = nil) throws(MediaRefusal) -> CleanImage {
        try clean(MediaFile.read(url, limit: limits.byteCount), longestEdge: longestEdge)
    }
}
