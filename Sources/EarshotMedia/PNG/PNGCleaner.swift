/// The metadata stripper for PNG: it unpacks the pixels and packs them again, with only the chunks that pixels need.
///
/// Animations (APNG) are refused, because libpng does not read them. Colours of more than eight bits become eight.
struct PNGCleaner {
    let longestEdge: Int?

    func clean(_ bytes: [UInt8]) throws(MediaRefusal) -> CleanImage {
        let chunks = try PNGChunks(bytes)
        guard !chunks.isAnimated else {
            throw MediaRefusal(
                .unsupportedAnimation,
                "Earshot cannot clean an animated PNG. Save it as GIF or WebP, or send it as a file."
            )
        }
        let profile = try otherProfile(chunks)
        guard let size = PNGChunks.size(in: bytes),
            var bitmap = PNGCodec.decode(chunks.essential(withGamma: true), width: size.width, height: size.height)
        else { throw .damaged(.png) }
        if let profile { bitmap.convert(from: profile) }
        if let longestEdge { bitmap = bitmap.fitting(longestEdge: longestEdge) }
        bitmap = bitmap.upright(from: chunks.orientation)
        guard let encoded = PNGCodec.encode(bitmap) else { throw .damaged(.png) }
        // The library writes that the colours are sRGB, which is the default.
        let result = try PNGChunks(encoded).essential(withGamma: false)
        return CleanImage(format: .png, width: bitmap.width, height: bitmap.height, frameCount: 1, bytes: result)
    }

    private func otherProfile(_ chunks: PNGChunks) throws(MediaRefusal) -> ColorProfile? {
        guard let packed = chunks.packedProfile, let bytes = try PNGCodec.unpackProfile(packed) else { return nil }
        return try ColorProfile.other(in: bytes)
    }
}
