/// The metadata stripper for JPEG: it keeps the coefficients if it can, and writes them into a new file.
///
/// Progressive stays progressive; arithmetic coding becomes Huffman coding, which every viewer reads. Pictures of inks
/// (CMYK) are refused: their colours need the profile of a press. A second picture after the end, which phones put
/// there, is removed.
struct JPEGCleaner {
    let limits: ImageLimits
    let longestEdge: Int?

    func clean(_ bytes: [UInt8]) throws(MediaRefusal) -> CleanImage {
        let segments = JPEGSegments(bytes)
        guard let header = JPEGCodec.header(of: bytes) else { throw .damaged(.jpeg) }
        try limits.checkSize(width: header.width, height: header.height)
        guard !header.isPrinted else { throw .unsupportedColor }
        let profile = try otherProfile(segments)
        let isTooLong = longestEdge.map { max(header.width, header.height) > $0 } ?? false
        if profile == nil, !isTooLong, let clean = transformed(bytes, segments) { return clean }
        return try repacked(bytes, header, segments, profile)
    }

    private func otherProfile(_ segments: JPEGSegments) throws(MediaRefusal) -> ColorProfile? {
        guard let bytes = try segments.profile() else { return nil }
        return try ColorProfile.other(in: bytes)
    }

    /// Writes the same coefficients, if they survive a second pass: a damaged picture may have some that no code stands
    /// for.
    private func transformed(_ bytes: [UInt8], _ segments: JPEGSegments) -> CleanImage? {
        func write(_ bytes: [UInt8], from orientation: Orientation) -> [UInt8]? {
            JPEGCodec.transform(bytes, from: orientation, isProgressive: segments.isProgressive)
                .flatMap(JPEGOutput.tidied)
        }
        guard let clean = write(bytes, from: segments.orientation), write(clean, from: .upright) == clean else {
            return nil
        }
        return Self.image(clean)
    }

    private func repacked(
        _ bytes: [UInt8],
        _ header: JPEGCodec.Header,
        _ segments: JPEGSegments,
        _ profile: ColorProfile?
    ) throws(MediaRefusal) -> CleanImage {
        guard var bitmap = JPEGCodec.decode(bytes, header: header) else { throw .damaged(.jpeg) }
        if let longestEdge { bitmap = bitmap.fitting(longestEdge: longestEdge) }
        if let profile { bitmap.convert(from: profile) }
        let encoded = JPEGCodec.encode(
            bitmap.upright(from: segments.orientation),
            subsampling: header.subsampling,
            isProgressive: segments.isProgressive
        )
        guard let clean = encoded.flatMap(JPEGOutput.tidied).flatMap(Self.image) else { throw .damaged(.jpeg) }
        return clean
    }

    private static func image(_ bytes: [UInt8]) -> CleanImage? {
        JPEGSegments(bytes).size.map {
            CleanImage(format: .jpeg, width: $0.width, height: $0.height, frameCount: 1, bytes: bytes)
        }
    }
}
