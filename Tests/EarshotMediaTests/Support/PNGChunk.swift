import CPNG

/// A writer of PNG chunks.
enum PNGChunk {
    static func bytes(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + body
        return big(body.count) + checked + big(Int(crc32(0, checked, uInt(checked.count))))
    }

    static func header(width: Int, height: Int, depth: UInt8 = 8, color: UInt8 = 2) -> [UInt8] {
        bytes("IHDR", big(width) + big(height) + [depth, color, 0, 0, 0])
    }

    /// Makes a PNG of these chunks between signature and end.
    static func file(_ chunks: [UInt8]...) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.joined() + bytes("IEND", [])
    }

    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: Int(compressBound(uLong(bytes.count))))
        var count = uLongf(packed.count)
        compress(&packed, &count, bytes, uLong(bytes.count))
        return Array(packed.prefix(Int(count)))
    }

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }
}
