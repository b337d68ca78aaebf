import Bytes

/// The outermost chunks of a WebP: the facts that are needed before a library reads it.
///
/// Source: RFC 9649, 2.3 RIFF, 2.5 and 2.6 simple files, 2.7 extended files; RFC 6386, 9.1 (VP8 frame header).
struct WebPChunks {
    /// The number of frames of an animation.
    private(set) var frameCount = 0
    /// The number of pictures, with the frames; a valid file has at most one that is not a frame.
    private(set) var pictureCount = 0
    /// The colour profile.
    private(set) var profile: [UInt8]?
    /// The orientation in its Exif chunk; upright without one.
    private(set) var orientation = Orientation.upright
    /// A file of only the chunks that make pictures.
    private(set) var essential: [UInt8] = []

    private static let animationFlag: UInt8 = 0b0000_0010
    /// The alpha flag is always set: it may stand without transparency, and programs that add metadata can leave it
    /// out.
    private static let alphaFlag: UInt8 = 0b0001_0000

    /// Reads until the bytes make no more sense.
    init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes.dropFirst(12))
        var body = Array("WEBP".utf8)
        while let name = reader.take(4), let size = reader.littleEndian(UInt32.self),
            let content = reader.take(Int(size))
        {
            if size & 1 == 1 { _ = reader.byte() }
            take(name, content, into: &body)
        }
        essential = Array("RIFF".utf8)
        essential.appendLittle(UInt32(body.count))
        essential += body
    }

    /// Reads the size of the canvas of an extended file, or of the picture of a simple one.
    static func size(in bytes: [UInt8]) -> (width: Int, height: Int)? {
        var reader = ByteReader(bytes.dropFirst(12))
        guard let name = reader.take(4), reader.skip(4) else { return nil }
        if name.begins(with: "VP8X") {
            guard reader.skip(4), let low = reader.littleEndian(UInt32.self),
                let high = reader.littleEndian(UInt16.self)
            else {
                return nil
            }
            let packed = UInt64(high) << 32 | UInt64(low)
            return (Int(packed & 0xFF_FFFF) + 1, Int(packed >> 24) + 1)
        }
        if name.begins(with: "VP8L") {
            guard reader.byte() == 0x2F, let packed = reader.littleEndian(UInt32.self) else { return nil }
            return (Int(packed & 0x3FFF) + 1, Int(packed >> 14 & 0x3FFF) + 1)
        }
        guard name.begins(with: "VP8 "), reader.skip(3), reader.take(3) == [0x9D, 0x01, 0x2A],
            let width = reader.littleEndian(UInt16.self), let height = reader.littleEndian(UInt16.self)
        else { return nil }
        return (Int(width & 0x3FFF), Int(height & 0x3FFF))
    }

    private mutating func take(_ name: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>, into body: inout [UInt8]) {
        var content = content
        switch String(decoding: name, as: UTF8.self) {
        case "ICCP":
            profile = profile ?? Array(content)
            return
        case "EXIF":
            orientation = Orientation(exif: content)
            return
        case "VP8X":
            if let first = content.indices.first {
                content[first] = content[first] & Self.animationFlag | Self.alphaFlag
            }
        case "ANIM", "ALPH": break
        case "VP8 ", "VP8L": pictureCount += 1
        case "ANMF":
            frameCount += 1
            pictureCount += 1
        default: return
        }
        body += name
        body.appendLittle(UInt32(content.count))
        body += content
        if content.count & 1 == 1 { body.append(0) }
    }
}
