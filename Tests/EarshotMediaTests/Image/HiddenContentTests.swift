import CWebP
import Testing

@testable import EarshotMedia

@Suite("What hides in pictures")
struct HiddenContentTests {
    private let cleaner = ImageCleaner()

    /// A picture whose upper half is transparent and hides the secret in its colours.
    private static let veiled = Bitmap(width: 32, height: 24) { x, y in
        let letter = Planting.secretBytes[(x + y) % Planting.secretBytes.count]
        return y < 12 ? [letter, letter, letter, 0] : [UInt8(x * 7), UInt8(y * 9), 40, 255]
    }

    @Test(
        "Bytes behind the frame of a WebP go, wherever its chunks have room for them",
        arguments: ["VP8 ", "VP8L", "ALPH"]
    )
    func behindFrame(chunk: String) throws {
        let bitmap: Bitmap = chunk == "ALPH" ? .veil(40, 30) : .slopes(40, 30)
        let plain = try Picture.webp(bitmap, lossless: chunk == "VP8L")
        let picture = Planting.atEnd(of: chunk, inWebP: plain)
        #expect(picture.holdsSecret)
        let clean = try cleaner.clean(picture)
        #expect(!clean.bytes.holdsSecret)
        #expect(try Picture.decode(clean).similarity(to: Picture.decode(webp: plain)) > 30)
    }

    @Test("Bytes behind the first partition of a WebP go")
    func behindPartition() throws {
        let plain = try Picture.webp(.slopes(40, 30))
        let tag = Int(plain[20]) | Int(plain[21]) << 8 | Int(plain[22]) << 16
        let end = 30 + tag >> 5
        let longer = tag + Planting.secretBytes.count << 5
        var picture = Array(plain[..<end]) + Planting.secretBytes + Array(plain[end...])
        picture.replaceSubrange(20..<23, with: [UInt8(longer & 0xFF), UInt8(longer >> 8 & 0xFF), UInt8(longer >> 16)])
        picture = Planting.riff("VP8 ", Array(picture[20...]))
        picture = Planting.riff("RIFF", Array("WEBP".utf8) + picture)
        #expect(try Picture.decode(webp: picture) == Picture.decode(webp: plain))
        let clean = try cleaner.clean(picture)
        #expect(!clean.bytes.holdsSecret)
        #expect(try Picture.decode(clean).similarity(to: Picture.decode(webp: plain)) > 30)
    }

    @Test("The frames of a WebP animation hide nothing either")
    func behindMovingFrame() throws {
        let picture = try MovingPicture.sample.webp(width: 24, height: 16, hidesSecret: true)
        #expect(picture.holdsSecret)
        let clean = try cleaner.clean(picture)
        #expect(!clean.bytes.holdsSecret)
        #expect(MovingPicture(webp: clean.bytes)?.frames.map(\.duration) == MovingPicture.sample.frames.map(\.duration))
    }

    @Test("Pixels that show nothing have no colours, in PNG and in WebP")
    func underAlpha() throws {
        let rows = (0..<24).flatMap { y -> [UInt8] in
            [UInt8(0)]
                + Self.veiled.pixels[y * 32..<y * 32 + 32].flatMap { pixel in
                    (0..<4).map { UInt8(truncatingIfNeeded: pixel >> (8 * $0)) }
                }
        }
        let png = PNGChunk.file(
            PNGChunk.header(width: 32, height: 24, color: 6),
            PNGChunk.bytes("IDAT", PNGChunk.deflate(rows))
        )
        let webp = try Self.exactWebP(Self.veiled)
        #expect(try Picture.decode(png: png) == Self.veiled && Picture.decode(webp: webp) == Self.veiled)
        for picture in [png, webp] {
            let clean = try Picture.decode(cleaner.clean(picture))
            #expect(clean.pixels.prefix(32 * 12).allSatisfy { $0 == 0 })
            #expect(clean.pixels.dropFirst(32 * 12) == Self.veiled.pixels.dropFirst(32 * 12))
        }
    }

    @Test("Entries of a palette that no pixel shows are black")
    func unusedColors() throws {
        let palette = Array(Array(repeating: Planting.secretBytes, count: 40).joined().prefix(384))
        var gif = GIFBuilder(width: 8, height: 8)
        gif.addFrame(width: 8, height: 8) { UInt8(8 + $0 % 4) }
        gif.addTiming(5, flags: 1, transparent: 9)
        gif.addFrame(width: 4, height: 4, palette: palette) { UInt8(9 + $0 % 2) }
        #expect(gif.finished.holdsSecret)
        let before = try #require(MovingPicture(gif: gif.finished))
        let clean = try cleaner.clean(gif.finished)
        #expect(!clean.bytes.holdsSecret)
        let after = try #require(MovingPicture(gif: clean.bytes))
        #expect(after.frames[0] == before.frames[0])
        let shown = Array(palette[30..<33])
        #expect(after.frames[1].bitmap.pixels[1] == Bitmap.pixel(shown + [255]))
        #expect(after.frames[1].bitmap.pixels[0] == Bitmap.pixel([0, 0, 0, 255]))
        let header = Array(clean.bytes[13..<13 + 384])
        let used = Set([0] + (8..<12))
        for index in 0..<128 where !used.contains(index) {
            #expect(header[index * 3..<index * 3 + 3].allSatisfy { $0 == 0 }, "entry \(index)")
        }
    }

    /// Encodes a lossless picture that keeps the colours under full transparency.
    private static func exactWebP(_ bitmap: Bitmap) throws -> [UInt8] {
        var (config, picture, writer) = (WebPConfig(), WebPPicture(), WebPMemoryWriter())
        try #require(WebPConfigInitInternal(&config, WEBP_PRESET_DEFAULT, 75, WEBP_ENCODER_ABI_VERSION) != 0)
        try #require(WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION) != 0)
        (config.lossless, config.exact, picture.use_argb) = (1, 1, 1)
        (picture.width, picture.height) = (CInt(bitmap.width), CInt(bitmap.height))
        WebPMemoryWriterInit(&writer)
        defer {
            WebPMemoryWriterClear(&writer)
            WebPPictureFree(&picture)
        }
        let isEncoded = bitmap.pixels.withUnsafeBytes { pixels in
            withUnsafeMutablePointer(to: &writer) { writer in
                picture.custom_ptr = UnsafeMutableRawPointer(writer)
                picture.writer = WebPMemoryWrite
                let start = pixels.bindMemory(to: UInt8.self).baseAddress
                return WebPPictureImportRGBA(&picture, start, CInt(bitmap.bytesPerRow)) != 0
                    && WebPEncode(&config, &picture) != 0
            }
        }
        try #require(isEncoded)
        return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }
}
