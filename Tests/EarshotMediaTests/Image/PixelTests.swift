import CTurboJPEG
import Testing

@testable import EarshotMedia

@Suite("Pixels of cleaned pictures")
struct PixelTests {
    /// Pictures of many colours, alpha, few colours, greys, more than 256 colours that are partly transparent; with
    /// the colour types of PNG.
    static let pictures: [(Bitmap, UInt8)] = [
        (.slopes(40, 30), 2), (.veil(40, 30), 6), (.quarters(40, 30), 3), (greys, 3), (many, 6),
    ]
    private static let greys = Bitmap(width: 90, height: 90) { x, y in
        let shade = UInt8((x * 3 + y) % 256)
        return [shade, shade, shade, 255]
    }
    private static let many = Bitmap(width: 300, height: 2) { x, y in
        x % 2 == 0 ? [0, 0, 0, 0] : [UInt8(x % 256), UInt8(x / 256), UInt8(y * 255), UInt8(255 - x / 2 % 2)]
    }

    private let cleaner = ImageCleaner()

    @Test("A JPEG keeps every coefficient", arguments: [false, true])
    func jpeg(isProgressive: Bool) throws {
        let picture = try Picture.jpeg(.slopes(45, 31), isProgressive: isProgressive)
        let clean = try cleaner.clean(Planting.inJPEG(picture))
        #expect(try Picture.decode(clean) == Picture.decode(jpeg: picture))
        #expect(clean.bytes.count < picture.count + 100)
        #expect(JPEGSegments(clean.bytes).isProgressive == isProgressive)
        #expect((clean.format, clean.width, clean.height, clean.frameCount) == (.jpeg, 45, 31, 1))
    }

    @Test("A JPEG in arithmetic coding becomes one that every viewer reads")
    func arithmetic() throws {
        let picture = try #require(Samples.arithmeticJPEG)
        let clean = try cleaner.clean(picture)
        #expect(try Picture.decode(clean) == Picture.decode(jpeg: picture))
        #expect(picture.contains([0xFF, 0xC9]))
        #expect(!clean.bytes.contains([0xFF, 0xC9]))
    }

    @Test("A JPEG of red, green and blue planes keeps them")
    func planes() throws {
        let picture = try #require(Samples.planesJPEG)
        #expect(try Picture.decode(cleaner.clean(picture)) == Picture.decode(jpeg: picture))
    }

    @Test(
        "A PNG keeps every pixel, packed as its colours allow",
        arguments: pictures
    )
    func png(bitmap: Bitmap, colorType: UInt8) throws {
        let clean = try cleaner.clean(Planting.inPNG(Picture.png(bitmap)))
        #expect(try Picture.decode(clean) == bitmap)
        #expect(clean.bytes[25] == colorType)
        #expect((clean.width, clean.height, clean.frameCount) == (bitmap.width, bitmap.height, 1))
    }

    @Test("A PNG of sixteen bits a colour becomes one of eight")
    func deepPNG() throws {
        let rows = (0..<4).flatMap { y -> [UInt8] in
            [UInt8(0)] + (0..<4).flatMap { x -> [UInt8] in [UInt8(x * 60), 0, UInt8(y * 60), 0, 128, 0] }
        }
        let picture = PNGChunk.file(
            PNGChunk.header(width: 4, height: 4, depth: 16),
            PNGChunk.bytes("IDAT", PNGChunk.deflate(rows))
        )
        let expected = Bitmap(width: 4, height: 4) { x, y in [UInt8(x * 60), UInt8(y * 60), 128, 255] }
        #expect(try Picture.decode(cleaner.clean(picture)).similarity(to: expected) > 48)
    }

    @Test(
        "A WebP keeps every pixel, unless it is lossy and has alpha: then it is packed once more",
        arguments: [false, true]
    )
    func webp(lossless: Bool) throws {
        let picture = try Picture.webp(lossless ? .veil(40, 30) : .slopes(40, 30), lossless: lossless)
        let clean = try cleaner.clean(Planting.inWebP(picture))
        #expect(try Picture.decode(clean) == Picture.decode(webp: picture))
        let veil = try Picture.webp(.veil(40, 30))
        #expect(try Picture.decode(cleaner.clean(veil)).similarity(to: Picture.decode(webp: veil)) > 35)
        #expect((clean.format, clean.width, clean.height, clean.frameCount) == (.webp, 40, 30, 1))
    }

    @Test("A WebP animation keeps frames, places, times, manners and rounds")
    func movingWebP() throws {
        let picture = try MovingPicture.sample.webp(width: 24, height: 16)
        let clean = try cleaner.clean(Planting.inWebP(picture), longestEdge: 5)
        #expect(MovingPicture(webp: clean.bytes) == .sample)
        #expect((clean.width, clean.height, clean.frameCount) == (24, 16, 3))
    }

    @Test("A GIF keeps frames, places, times, manners and rounds")
    func movingGIF() throws {
        let before = try #require(MovingPicture(gif: GIFBuilder.sample()))
        #expect(before.rounds == 5)
        #expect(before.frames.map(\.duration) == [12, 250, 0])
        #expect(before.frames.map(\.manner) == [[5, 3, 0], [8, 0, 1], [0, 0, 0]])
        let clean = try cleaner.clean(GIFBuilder.sample(secret: Planting.secret))
        #expect(MovingPicture(gif: clean.bytes) == before)
        #expect((clean.format, clean.width, clean.height, clean.frameCount) == (.gif, 20, 14, 3))
    }

    @Test("Cleaning what is clean changes nothing")
    func again() throws {
        let pictures = try [
            Picture.jpeg(.slopes(45, 31)), Picture.png(.veil(20, 20)), Picture.webp(.slopes(20, 20)),
            MovingPicture.sample.webp(width: 24, height: 16), GIFBuilder.sample(),
        ]
        for picture in pictures {
            let clean = try cleaner.clean(picture)
            #expect(try cleaner.clean(clean.bytes) == clean)
        }
    }
}
