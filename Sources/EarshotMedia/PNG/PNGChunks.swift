import Bytes

/// The chunks of a PNG.
///
/// Source: PNG (third edition), 5.3 chunk layout, 11.2 and 11.3 chunks.
struct PNGChunks {
    private struct Chunk {
        let name: ArraySlice<UInt8>
        let body: ArraySlice<UInt8>
        /// The bytes of the chunk with its length, name and checksum.
        let whole: ArraySlice<UInt8>
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let chunks: [Chunk]

    /// Reads to the end chunk.
    ///
    /// - Throws: `damaged` if a chunk or the end is missing, or if there are more chunks than any encoder writes.
    init(_ bytes: [UInt8]) throws(MediaRefusal) {
        var reader = ByteReader(bytes.dropFirst(Self.signature.count))
        var chunks: [Chunk] = []
        repeat {
            guard chunks.count < ImageLimits.pngPartCount, let chunk = Self.chunk(&reader) else { throw .damaged(.png) }
            chunks.append(chunk)
        } while chunks.last.map { !$0.name.begins(with: "IEND") } ?? false
        self.chunks = chunks
    }

    private static func chunk(_ reader: inout ByteReader) -> Chunk? {
        var ahead = reader
        guard let count = ahead.integer(UInt32.self), let name = ahead.take(4), let body = ahead.take(Int(count)),
            let whole = reader.take(Int(count) + 12)
        else { return nil }
        return Chunk(name: name, body: body, whole: whole)
    }

    /// Reads the size in the header chunk, which is the first.
    static func size(in bytes: [UInt8]) -> (width: Int, height: Int)? {
        var reader = ByteReader(bytes.dropFirst(signature.count))
        guard let chunk = reader.take(8), chunk.dropFirst(4).begins(with: "IHDR"),
            let width = reader.integer(UInt32.self),
            let height = reader.integer(UInt32.self)
        else { return nil }
        return (Int(width), Int(height))
    }

    /// Whether it is an animation (APNG).
    var isAnimated: Bool { body("acTL") != nil }

    /// The orientation in its Exif chunk; upright without one.
    var orientation: Orientation { body("eXIf").map { Orientation(tiff: $0) } ?? .upright }

    /// The colour profile, packed; nil for a picture that says it is sRGB.
    var packedProfile: ArraySlice<UInt8>? {
        guard body("sRGB") == nil, let body = body("iCCP"), let end = body.firstIndex(of: 0) else { return nil }
        return body[end...].dropFirst(2)
    }

    /// Makes a file of only the chunks that make pixels, with the gamma on request if nothing better describes the
    /// colours.
    func essential(withGamma: Bool) -> [UInt8] {
        let usesGamma = withGamma && body("sRGB") == nil && body("iCCP") == nil
        let kept = chunks.filter { chunk in
            chunk.name.begins(with: "IHDR") || chunk.name.begins(with: "PLTE") || chunk.name.begins(with: "tRNS")
                || chunk.name.begins(with: "IDAT") || chunk.name.begins(with: "IEND")
                || usesGamma && chunk.name.begins(with: "gAMA")
        }
        return kept.reduce(into: Self.signature) { $0 += $1.whole }
    }

    private func body(_ name: StaticString) -> ArraySlice<UInt8>? {
        chunks.first { $0.name.begins(with: name) }?.body
    }
}
