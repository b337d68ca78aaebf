import Testing

@testable import EarshotMedia

/// A writer of secrets into each part of a format that can hold them.
enum Planting {
    static let secret = "SECRET-4711"
    static let secretBytes = Array(secret.utf8)

    /// The tags that ExifTool writes into every format.
    static let tags = [
        "-GPSLatitude=48.2082", "-GPSLatitudeRef=N", "-GPSLongitude=16.3738", "-GPSLongitudeRef=E",
        "-SerialNumber=\(secret)", "-Make=\(secret)", "-Model=\(secret)", "-Artist=\(secret)",
        "-DateTimeOriginal=2024:05:06 07:08:09", "-XMP-dc:Creator=\(secret)", "-XMP-dc:Title=\(secret)",
        "-Comment=\(secret)",
    ]

    /// Inserts JPEG segments after the start, and bytes after the end.
    static func inJPEG(_ bytes: [UInt8], trailer: [UInt8] = secretBytes) -> [UInt8] {
        let segments: [[UInt8]] = [
            segment(0xE5, secretBytes), segment(0xEC, Array("Ducky".utf8) + secretBytes),
            segment(0xEF, secretBytes), segment(0xE2, Array("MPF\0".utf8) + secretBytes),
            segment(0xED, Array("Photoshop 3.0\0".utf8) + secretBytes), segment(0xFE, secretBytes),
        ]
        return bytes.prefix(2) + segments.joined() + bytes.dropFirst(2) + trailer
    }

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }

    /// Makes a JPEG with an orientation and nothing else in its Exif.
    static func orientation(_ value: UInt8, inJPEG bytes: [UInt8]) -> [UInt8] {
        bytes.prefix(2) + segment(0xE1, Array("Exif\0\0".utf8) + tiff(orientation: value)) + bytes.dropFirst(2)
    }

    static func tiff(orientation: UInt8, isLittle: Bool = true) -> [UInt8] {
        isLittle
            ? Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
            : Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    }

    /// Inserts PNG chunks after the header, and bytes after the end.
    static func inPNG(_ bytes: [UInt8]) -> [UInt8] {
        chunks(
            [
                ("tEXt", Array("Author\0".utf8) + secretBytes),
                ("zTXt", Array("Note\0\0".utf8) + PNGChunk.deflate(secretBytes)),
                ("iTXt", Array("Title\0\0\0\0\0".utf8) + secretBytes), ("seCr", secretBytes),
                ("tIME", [7, 232, 5, 6, 7, 8, 9]), ("pHYs", [0, 0, 11, 19, 0, 0, 11, 19, 1]),
                ("eXIf", tiff(orientation: 1) + secretBytes),
            ],
            inPNG: bytes
        ) + secretBytes
    }

    static func chunks(_ chunks: [(String, [UInt8])], inPNG bytes: [UInt8]) -> [UInt8] {
        bytes.prefix(33) + chunks.flatMap { PNGChunk.bytes($0, $1) } + bytes.dropFirst(33)
    }

    /// Adds WebP chunks at the end, and bytes after it; turns a simple file into an extended one.
    static func inWebP(
        _ bytes: [UInt8],
        chunks: [(String, [UInt8])] = [("EXIF", secretBytes), ("XMP ", secretBytes), ("SECR", secretBytes)]
    ) throws -> [UInt8] {
        var body = Array(bytes.dropFirst(12))
        if !body.begins(with: "VP8X") {
            let size = try #require(WebPChunks.size(in: bytes))
            let flags: UInt8 = chunks.reduce(0x10) { flags, chunk in
                flags | (["EXIF": 0x08, "XMP ": 0x04, "ICCP": 0x20][chunk.0] ?? 0)
            }
            let edges = [size.width - 1, size.height - 1].flatMap { edge -> [UInt8] in little(edge) + [0] }
            body = riff("VP8X", [flags, 0, 0, 0] + edges) + body
        }
        let header = body.prefix(18)
        let first = chunks.filter { $0.0 == "ICCP" }.flatMap { riff($0.0, $0.1) }
        let last = chunks.filter { $0.0 != "ICCP" }.flatMap { riff($0.0, $0.1) }
        body = header + first + body.dropFirst(18) + last
        return riff("RIFF", Array("WEBP".utf8) + body) + secretBytes
    }

    /// Writes the secret at the end of a chunk of a WebP.
    static func atEnd(of chunk: String, inWebP bytes: [UInt8]) -> [UInt8] {
        var (body, position) = ([UInt8](), 12)
        while position + 8 <= bytes.count {
            let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            let count = (0..<4).reduce(0) { $0 | Int(bytes[position + 4 + $1]) << ($1 * 8) }
            let content = Array(bytes[position + 8..<position + 8 + count])
            body += riff(name, content + (name == chunk ? secretBytes : []))
            position += 8 + count + count & 1
        }
        return riff("RIFF", Array("WEBP".utf8) + body)
    }

    static func riff(_ name: String, _ body: [UInt8]) -> [UInt8] {
        var bytes = Array(name.utf8)
        bytes.appendLittle(UInt32(body.count))
        return bytes + body + [UInt8](repeating: 0, count: body.count & 1)
    }
}

extension [UInt8] {
    /// Whether the bytes contain the secret.
    var holdsSecret: Bool { String(decoding: self, as: Unicode.ASCII.self).contains("SECRET") }
}
