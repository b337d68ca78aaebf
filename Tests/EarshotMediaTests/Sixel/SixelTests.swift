import Testing

@testable import EarshotMedia

@Suite("Pictures for terminals")
struct SixelTests {
    @Test(
        "A picture is drawn whole in its size",
        arguments: [(20, 14), (8, 6), (64, 13), (90, 7)]
    )
    func whole(width: Int, height: Int) throws {
        let bitmap = Bitmap.quarters(width, height)
        let drawn = try #require(SixelCodec.encode(bitmap).flatMap { SixelDrawing($0) })
        #expect((drawn.width, drawn.height) == (width, height))
        #expect(drawn.bitmap.map { $0.similarity(to: bitmap) > 30 } == true)
    }

    @Test("What lets something through is drawn on white")
    func alpha() throws {
        let bitmap = Bitmap(width: 12, height: 6) { x, _ in x < 6 ? [0, 0, 0, 0] : [0, 0, 0, 255] }
        let expected = Bitmap(width: 12, height: 6) { x, _ in x < 6 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
        let drawn = try #require(SixelCodec.encode(bitmap).flatMap { SixelDrawing($0) }?.bitmap)
        #expect(drawn.similarity(to: expected) > 30)
    }

    @Test(
        "A picture gets into the room that there is, and is never made larger",
        arguments: [
            ((60, 40), (480, 480), (60, 40)), ((150, 100), (120, 42), (63, 42)), ((100, 150), (120, 42), (28, 42)),
            ((150, 100), (30, 42), (30, 20)), ((2, 1_000), (480, 6), (1, 6)),
        ]
    )
    func room(size: (Int, Int), room: (Int, Int), drawn: (Int, Int)) throws {
        let file = try Picture.png(Bitmap.slopes(size.0, size.1))
        let sequence = PicturePreview.sixel(file, width: room.0, height: room.1)
        let drawing = try #require(sequence.flatMap { SixelDrawing($0) })
        #expect((drawing.width, drawing.height) == drawn && drawing.bitmap != nil)
    }

    @Test("A picture lower than a band is none, so that none is drawn below its place")
    func low() {
        #expect(SixelCodec.encode(.quarters(60, SixelCodec.bandHeight - 1)) == nil)
        #expect(SixelCodec.encode(.quarters(60, SixelCodec.bandHeight)) != nil)
    }

    @Test("What is no picture, damaged or moves gives none")
    func refused() throws {
        let file = try Picture.png(Bitmap.slopes(30, 20))
        for bytes in [[], [1, 2, 3], Array(file.dropLast(40)), try Picture.webp(Bitmap.slopes(30, 20))] {
            #expect(PicturePreview.sixel(bytes, width: 480, height: 180) == nil)
            #expect(PicturePreview.png(bytes, longestEdge: 480) == nil)
        }
    }
}

/// The picture that a terminal draws for a sequence of Sixel.
private struct SixelDrawing {
    let width: Int
    let height: Int
    private var pixels: [Int: UInt32] = [:]

    /// Reads a whole sequence; nil for anything else.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("\u{1B}Pq\"1;1;"), text.hasSuffix("\u{1B}\\") else { return nil }
        let body = text.dropFirst(3).dropLast(2)
        let tokens = body.matches(of: /["#]([\d;]+)|(?:!(\d+))?([?-~])|[$\-]/)
        guard tokens.reduce(0, { $0 + $1.output.0.count }) == body.count else { return nil }
        var colours: [Int: UInt32] = [:]
        var (colour, column, band) = (0, 0, 0)
        var size: [Int] = []
        var drawn: [(column: Int, row: Int, colour: UInt32)] = []
        for token in tokens {
            let numbers = token.output.1.map { $0.split(separator: ";").compactMap { Int($0) } } ?? []
            switch token.output.0.first {
            case "\"": size = Array(numbers.suffix(2))
            case "#":
                colour = numbers[0]
                guard numbers.count == 5 else { continue }
                colours[colour] = Bitmap.pixel(numbers[2...].map { UInt8($0 * 255 / 100) } + [255])
            case "$": column = 0
            case "-": (column, band) = (0, band + 6)
            default:
                let count = token.output.2.flatMap { Int($0) } ?? 1
                guard let bits = token.output.3?.utf8.first.map({ $0 - 63 }), let shown = colours[colour] else {
                    return nil
                }
                for row in 0..<6 where bits >> row & 1 == 1 {
                    for place in column..<column + count { drawn.append((place, band + row, shown)) }
                }
                column += count
            }
        }
        guard size.count == 2 else { return nil }
        (width, height) = (size[0], size[1])
        for pixel in drawn {
            guard pixel.column < width, pixel.row < height else { return nil }
            pixels[pixel.row * width + pixel.column] = pixel.colour
        }
    }

    /// The picture; nil unless each of its pixels was drawn.
    var bitmap: Bitmap? {
        guard pixels.count == width * height else { return nil }
        return Bitmap(width: width, height: height) { x, y in
            let pixel = pixels[y * width + x] ?? 0
            return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) }
        }
    }
}
