import Testing

@testable import EarshotMedia

@Suite("Smaller pictures")
struct ScalingTests {
    @Test(
        "The longest edge becomes what was asked for, the other follows",
        arguments: [
            (100, 50, 20, 20, 10), (50, 100, 20, 10, 20), (30, 20, 30, 30, 20), (30, 20, 31, 30, 20),
            (97, 31, 50, 50, 16), (1_000, 1, 10, 10, 1), (7, 5, 1, 1, 1),
        ]
    )
    func sizes(width: Int, height: Int, edge: Int, newWidth: Int, newHeight: Int) {
        let bitmap = Bitmap.slopes(width, height).fitting(longestEdge: edge)
        #expect((bitmap.width, bitmap.height) == (newWidth, newHeight))
    }

    @Test("Black and white mix as light does, not as codes do")
    func light() {
        let board = Bitmap(width: 8, height: 8) { x, y in (x + y) % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255] }
        #expect(board.fitting(longestEdge: 4) == Bitmap(width: 4, height: 4) { _, _ in [188, 188, 188, 255] })
    }

    @Test("What is transparent gives no colour to what is not")
    func alpha() {
        let board = Bitmap(width: 4, height: 2) { x, _ in x % 2 == 0 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
        #expect(board.fitting(longestEdge: 2) == Bitmap(width: 2, height: 1) { _, _ in [255, 0, 0, 128] })
    }

    @Test("One colour stays that colour, whatever the sizes", arguments: [(31, 17, 13), (50, 3, 49), (9, 64, 7)])
    func flat(width: Int, height: Int, edge: Int) {
        let small = Bitmap(width: width, height: height) { _, _ in [200, 100, 37, 77] }.fitting(longestEdge: edge)
        #expect(Set(small.pixels) == [Bitmap.pixel([200, 100, 37, 77])])
    }

    @Test("Each new pixel is the mean of its own area")
    func areas() {
        // Three columns become two, which share the middle one.
        let bitmap = Bitmap(width: 3, height: 1) { x, _ in x == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
        let small = bitmap.fitting(longestEdge: 2)
        let mixed = Tone.code(Float(2) / 3)
        #expect(small == Bitmap(width: 2, height: 1) { x, _ in x == 0 ? [mixed, mixed, mixed, 255] : [0, 0, 0, 255] })
    }

    @Test("JPEG, PNG and WebP come out smaller and look the same", arguments: [ImageFormat.jpeg, .png, .webp])
    func formats(format: ImageFormat) throws {
        let bitmap = Bitmap.slopes(96, 64)
        let bytes =
            switch format {
            case .jpeg: try Planting.orientation(6, inJPEG: Picture.jpeg(bitmap))
            case .png: try Picture.png(bitmap)
            default: try Picture.webp(bitmap)
            }
        let clean = try ImageCleaner().clean(bytes, longestEdge: 48)
        let expected = bitmap.fitting(longestEdge: 48).upright(from: format == .jpeg ? .turnedRight : .upright)
        #expect((clean.width, clean.height) == (expected.width, expected.height))
        #expect(try Picture.decode(clean).similarity(to: expected) > 34)
    }

    @Test("A wish for no pixels gives one")
    func nothing() throws {
        let clean = try ImageCleaner().clean(Picture.png(.slopes(9, 9)), longestEdge: -3)
        #expect((clean.width, clean.height) == (1, 1))
    }
}
