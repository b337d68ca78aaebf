import CTurboJPEG
import Testing

@testable import EarshotMedia

@Suite("Orientation")
struct OrientationTests {
    /// The visible quarters from the top left, for stored quarters of red, green, blue and white; by Exif's
    /// definition.
    static let seen: [(UInt8, [String])] = [
        (1, ["red", "green", "blue", "white"]), (2, ["green", "red", "white", "blue"]),
        (3, ["white", "blue", "green", "red"]), (4, ["blue", "white", "red", "green"]),
        (5, ["red", "blue", "green", "white"]), (6, ["blue", "red", "white", "green"]),
        (7, ["white", "green", "blue", "red"]), (8, ["green", "white", "red", "blue"]),
    ]

    private let cleaner = ImageCleaner()

    private func expectSize(_ image: CleanImage, of value: UInt8, stored: (Int, Int)) {
        let expected = value >= 5 ? (stored.1, stored.0) : stored
        #expect((image.width, image.height) == expected)
    }

    @Test("A JPEG whose blocks fit is turned without loss", arguments: seen)
    func fitting(value: UInt8, corners: [String]) throws {
        let picture = try Picture.jpeg(.quarters(64, 32))
        let clean = try cleaner.clean(Planting.orientation(value, inJPEG: picture))
        let bitmap = try Picture.decode(clean)
        #expect(bitmap.corners == corners)
        expectSize(clean, of: value, stored: (64, 32))
        // The library turns the picture back: the coefficients are the same as before.
        let orientation = try #require(Orientation(rawValue: UInt16([6: 8, 8: 6][value] ?? value)))
        let back = JPEGCodec.transform(clean.bytes, from: orientation, isProgressive: false)
        #expect(try back.flatMap(JPEGOutput.tidied) == cleaner.clean(picture).bytes)
    }

    @Test("A JPEG whose blocks do not fit is turned whole", arguments: seen)
    func notFitting(value: UInt8, corners: [String]) throws {
        let picture = try Picture.jpeg(.slopes(45, 27), subsampling: TJSAMP_444)
        let clean = try cleaner.clean(Planting.orientation(value, inJPEG: picture))
        expectSize(clean, of: value, stored: (45, 27))
        let orientation = try #require(Orientation(rawValue: UInt16(value)))
        let expected = try Picture.decode(jpeg: picture).upright(from: orientation)
        #expect(try Picture.decode(clean).similarity(to: expected) > 40)
        let quarters = try Planting.orientation(value, inJPEG: Picture.jpeg(.quarters(45, 27)))
        #expect(try Picture.decode(cleaner.clean(quarters)).corners == corners)
    }

    @Test("A PNG is turned, its Exif in either byte order", arguments: seen)
    func png(value: UInt8, corners: [String]) throws {
        for isLittle in [true, false] {
            let exif = Planting.tiff(orientation: value, isLittle: isLittle)
            let clean = try cleaner.clean(Planting.chunks([("eXIf", exif)], inPNG: Picture.png(.quarters(20, 10))))
            #expect(try Picture.decode(clean).corners == corners)
            expectSize(clean, of: value, stored: (20, 10))
        }
    }

    @Test("A still WebP is turned", arguments: seen)
    func webp(value: UInt8, corners: [String]) throws {
        let exif = Planting.tiff(orientation: value)
        let clean = try cleaner.clean(Planting.inWebP(Picture.webp(.quarters(20, 10)), chunks: [("EXIF", exif)]))
        #expect(try Picture.decode(clean).corners == corners)
        expectSize(clean, of: value, stored: (20, 10))
    }

    @Test(
        "What is no orientation turns nothing",
        arguments: [
            [], [0x49], Array("II*\0".utf8), Array("II*\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF],
            Array("II*\0".utf8) + [8, 0, 0, 0, 0xFF, 0xFF], Planting.tiff(orientation: 9),
            Planting.tiff(orientation: 0),
        ] as [[UInt8]]
    )
    func nonsense(tiff: [UInt8]) {
        #expect(Orientation(tiff: tiff) == .upright)
    }
}
