import CTurboJPEG
import Testing

@testable import EarshotMedia

@Suite("Refused pictures")
struct RefusalTests {
    private func code(_ bytes: [UInt8]) -> MediaRefusal.Code? {
        do {
            _ = try ImageCleaner().clean(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "Formats that nothing here cleans are named in the refusal",
        arguments: [
            ("HEIC", [0, 0, 0, 24] + Array("ftypheic".utf8)), ("HEIC", [0, 0, 0, 24] + Array("ftypmif1".utf8)),
            ("AVIF", [0, 0, 0, 24] + Array("ftypavif".utf8)), ("film", [0, 0, 0, 24] + Array("ftypisom".utf8)),
            ("TIFF", Array("II*\0".utf8)), ("TIFF", Array("MM\0*".utf8)), ("BMP", Array("BM1234".utf8)),
            ("PDF", Array("%PDF-1.7".utf8)), ("SVG", Array("<svg xmlns='x'/>".utf8)),
            ("SVG", Array(" \n<?xml version='1.0'?>".utf8)), ("Photoshop", Array("8BPS".utf8)),
            ("JPEG XL", [0xFF, 0x0A, 0x00]), ("JPEG 2000", [0, 0, 0, 12] + Array("jP  ".utf8)), ("icon", [0, 0, 1, 0]),
        ] as [(String, [UInt8])]
    )
    func foreign(name: String, bytes: [UInt8]) throws {
        let refusal = #expect(throws: MediaRefusal.self) { try ImageCleaner().clean(bytes) }
        #expect(refusal?.code == .unsupportedFormat)
        #expect(refusal?.reason.contains(name) == true)
    }

    @Test("What is no picture is refused", arguments: [[], [0xFF], Array("GIF88a".utf8), Array("RIFF....WAVE".utf8)])
    func unknown(bytes: [UInt8]) {
        #expect(code(bytes) == .unknownFormat)
    }

    @Test("Pictures without a size are damaged")
    func sizes() {
        #expect(code([0xFF, 0xD8, 0xFF]) == .damaged)
        #expect(code(PNGChunks.signature) == .damaged)
        #expect(code(PNGChunk.file(PNGChunk.header(width: 0, height: 3))) == .damaged)
        #expect(code(Array("RIFF\0\0\0\0WEBP".utf8)) == .damaged)
        #expect(code(GIFBuilder(width: 0, height: 1).finished) == .damaged)
        #expect(code(GIFBuilder(width: 1, height: 1).finished) == .damaged)
    }

    @Test("A PNG that moves is refused")
    func movingPNG() throws {
        let bytes = try Planting.chunks([("acTL", [0, 0, 0, 1, 0, 0, 0, 0])], inPNG: Picture.png(.slopes(8, 8)))
        #expect(code(bytes) == .unsupportedAnimation)
    }

    @Test("A JPEG of inks is refused")
    func inks() throws {
        let handle = try #require(tjInitCompress())
        defer { tjDestroy(handle) }
        var (start, size): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { tjFree(start) }
        let pixels = [UInt8](repeating: 90, count: 16 * 16 * 4)
        let status = tjCompress2(
            handle,
            pixels,
            16,
            0,
            16,
            CInt(TJPF_CMYK.rawValue),
            &start,
            &size,
            CInt(TJSAMP_444.rawValue),
            90,
            0
        )
        try #require(status == 0)
        #expect(code(Array(UnsafeBufferPointer(start: start, count: Int(size)))) == .unsupportedColor)
    }

    @Test("A GIF whose pixels name colours that it has not is refused")
    func colors() {
        var gif = GIFBuilder(width: 2, height: 2)
        gif.addFrame(width: 2, height: 2, palette: []) { _ in 1 }
        #expect(code(gif.finished) == nil)
        var bytes = gif.finished
        // The palette has two colours instead of 128.
        bytes[10] = 0b1111_0000
        bytes.removeSubrange(13 + 6..<13 + 384)
        #expect(code(bytes) == nil)
        bytes[bytes.count - 4] = 2
        #expect(code(bytes) == .damaged)
    }

    @Test("Every cut of a picture is refused or clean", arguments: ImageFormat.allCases)
    func cuts(format: ImageFormat) throws {
        let picture = try MutationTests.sample(of: format)
        for count in 0..<picture.count { MutationTests.expectCleanOrRefused(Array(picture.prefix(count))) }
    }
}
