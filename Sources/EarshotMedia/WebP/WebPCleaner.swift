/// The metadata stripper for WebP: it takes the pictures out of the file and puts only them into a new one.
///
/// It unpacks every picture once, so that a picture that is sent can be shown. A lossy picture without alpha keeps
/// every bit, unless something may hide behind it; all others are packed again.
struct WebPCleaner {
    let limits: ImageLimits
    let longestEdge: Int?

    func clean(_ bytes: [UInt8]) throws(MediaRefusal) -> CleanImage {
        // The library sees only pictures, and not too many: the time of its lists grows with the square of their
        // length.
        let chunks = WebPChunks(bytes)
        try limits.checkFrameCount(chunks.pictureCount)
        guard let file = WebPFile(reading: chunks.essential), let size = file.size else { throw .damaged(.webp) }
        try limits.checkSize(width: size.width, height: size.height)
        let profile = try otherProfile(chunks)
        guard file.isAnimated else {
            return try still(file, profile, chunks.orientation)
        }
        guard profile == nil else { throw .unsupportedColor }
        return try animation(file, size: size, frameCount: chunks.frameCount)
    }

    private func otherProfile(_ chunks: WebPChunks) throws(MediaRefusal) -> ColorProfile? {
        guard let bytes = chunks.profile else { return nil }
        guard bytes.count <= ImageLimits.profileByteCount else { throw .unsupportedColor }
        return try ColorProfile.other(in: bytes)
    }

    private func still(
        _ file: borrowing WebPFile,
        _ profile: ColorProfile?,
        _ orientation: Orientation
    ) throws(MediaRefusal) -> CleanImage {
        let limits = limits
        let result = file.withFrame(0) { _, picture -> CleanImage? in
            guard let features = WebPCodec.features(of: picture),
                (try? limits.checkSize(width: features.width, height: features.height)) != nil,
                var bitmap = WebPCodec.decode(picture, features)
            else { return nil }
            let isTooLong = longestEdge.map { max(features.width, features.height) > $0 } ?? false
            if profile == nil, orientation == .upright, !isTooLong {
                let clean = Self.packed(picture, features, bitmap)
                return clean?.withUnsafeBytes {
                    Self.file(of: $0, width: features.width, height: features.height)
                }
            }
            if let longestEdge { bitmap = bitmap.fitting(longestEdge: longestEdge) }
            if let profile { bitmap.convert(from: profile) }
            bitmap = bitmap.upright(from: orientation)
            let encoded = WebPCodec.encode(bitmap, lossless: features.isLossless)
            return encoded?.withUnsafeBytes { Self.file(of: $0, width: bitmap.width, height: bitmap.height) }
        }
        guard let result else { throw .damaged(.webp) }
        return result
    }

    /// Returns a picture that holds only its visible content.
    private static func packed(
        _ picture: UnsafeRawBufferPointer,
        _ features: WebPCodec.Features,
        _ bitmap: Bitmap
    ) -> [UInt8]? {
        if !features.isLossless, !features.hasAlpha, WebPPartitions.areFull(in: picture, showing: bitmap, features) {
            return [UInt8](picture)
        }
        return WebPCodec.encode(bitmap, lossless: features.isLossless)
    }

    private static func file(of picture: UnsafeRawBufferPointer, width: Int, height: Int) -> CleanImage? {
        guard let file = WebPFile(), file.setPicture(picture), let bytes = file.assembled() else { return nil }
        return CleanImage(format: .webp, width: width, height: height, frameCount: 1, bytes: bytes)
    }

    private func animation(
        _ file: borrowing WebPFile,
        size: (width: Int, height: Int),
        frameCount: Int
    ) throws(MediaRefusal) -> CleanImage {
        guard let result = WebPFile(), let animation = file.animation,
            result.begin(animation, width: size.width, height: size.height)
        else {
            throw .damaged(.webp)
        }
        var pixelCount = 0
        for index in 0..<frameCount {
            let area = file.withFrame(index) { _, picture in
                WebPCodec.features(of: picture).map { $0.width * $0.height }
            }
            // A frame lies within the canvas; otherwise the library would not have accepted the file.
            guard let area, area <= size.width * size.height else { throw .damaged(.webp) }
            pixelCount += area
            try limits.checkDecoded(pixelCount: pixelCount)
            let isTaken = file.withFrame(index) { frame, picture in
                guard let features = WebPCodec.features(of: picture), let bitmap = WebPCodec.decode(picture, features),
                    let clean = Self.packed(picture, features, bitmap)
                else { return false }
                return clean.withUnsafeBytes { result.append(&frame, showing: $0) }
            }
            guard isTaken == true else { throw .damaged(.webp) }
        }
        guard frameCount > 0, let bytes = result.assembled() else { throw .damaged(.webp) }
        return CleanImage(
            format: .webp,
            width: size.width,
            height: size.height,
            frameCount: frameCount,
            bytes: bytes
        )
    }
}
