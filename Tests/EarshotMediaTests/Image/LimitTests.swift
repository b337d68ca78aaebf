import CTurboJPEG
import Foundation
import Testing

@testable import EarshotMedia

@Suite("Limits of pictures")
struct LimitTests {
    private let cleaner = ImageCleaner()

    private func refusal(_ bytes: [UInt8], _ limits: ImageLimits = .standard) -> MediaRefusal? {
        do {
            _ = try ImageCleaner(limits: limits).clean(bytes)
            return nil
        } catch {
            return error
        }
    }

    private static func jpegHeader(width: Int, height: Int) -> [UInt8] {
        let frame = [
            8, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF), 1, 1, 0x11, 0,
        ]
        return [0xFF, 0xD8] + Planting.segment(0xC0, frame)
    }

    @Test("A JPEG of few bytes whose coefficients take a thousand times as many is written whole")
    func growth() throws {
        let small = try Picture.jpeg(.slopes(8, 8), subsampling: TJSAMP_444)
        let frame = try #require(small.firstRange(of: [0xFF, 0xC0])).upperBound + 3
        let scan = try #require(small.firstRange(of: [0xFF, 0xDA])).upperBound
        var bytes = small.prefix(scan + Int(small[scan + 1])) + [0, 0, 0xFF, 0xD9]
        let edge = [UInt8(7_000 >> 8), UInt8(7_000 & 0xFF)]
        bytes.replaceSubrange(frame..<frame + 4, with: edge + edge)
        let clean = try #require(JPEGCodec.transform(Array(bytes), from: .upright, isProgressive: false))
        #expect(clean.count > 1_000 * bytes.count)
        #expect(JPEGOutput.tidied(clean) != nil)
    }

    @Test("A file of too many bytes is refused, and is not read further from the disk")
    func bytes() throws {
        var limits = ImageLimits()
        limits.byteCount = 1_000
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "long.png")
        try Data(count: 1_001).write(to: file)
        #expect(refusal([UInt8](repeating: 0, count: 1_001), limits)?.code == .tooManyBytes)
        #expect(throws: MediaFile.tooManyBytes(limit: 1_000)) {
            try ImageCleaner(limits: limits).clean(fileAt: file)
        }
    }

    @Test("A file that is not there is refused")
    func missing() throws {
        let folder = try TemporaryFolder()
        let refusal = #expect(throws: MediaRefusal.self) {
            try cleaner.clean(fileAt: folder.url.appending(path: "none.png"))
        }
        #expect(refusal?.code == .unreadable)
    }

    @Test(
        "A header of a gigabyte of pixels is refused for what it says",
        arguments: [
            jpegHeader(width: 65_535, height: 65_535), jpegHeader(width: 16_384, height: 16_384),
            PNGChunk.file(PNGChunk.header(width: 2_147_483_647, height: 2_147_483_647)),
            PNGChunk.file(PNGChunk.header(width: 16_384, height: 16_384)),
            Planting.riff(
                "RIFF",
                Array("WEBP".utf8) + Planting.riff("VP8X", [0, 0, 0, 0] + [UInt8](repeating: 255, count: 6))
            ),
            Planting.riff("RIFF", Array("WEBP".utf8) + Planting.riff("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0x0F])),
            GIFBuilder(width: 65_535, height: 65_535).finished,
        ] as [[UInt8]]
    )
    func headers(bytes: [UInt8]) throws {
        let refusal = try #require(self.refusal(bytes))
        #expect(refusal.code == .tooLarge)
        #expect([ImageLimits.standard.edge, ImageLimits.standard.pixelCount].contains(refusal.limit))
        let header = try ImageHeader(reading: bytes)
        #expect(throws: refusal) { try ImageLimits.standard.check(header) }
    }

    @Test("A picture as large as may be passes, one pixel more does not")
    func edge() throws {
        var limits = ImageLimits()
        (limits.edge, limits.pixelCount) = (40, 1_200)
        #expect(try refusal(Picture.png(.slopes(40, 30)), limits) == nil)
        #expect(try refusal(Picture.png(.slopes(41, 3)), limits)?.limit == 40)
        #expect(try refusal(Picture.png(.slopes(40, 31)), limits)?.limit == 1_200)
    }

    @Test("A GIF of a hundred thousand frames is refused at the first too many")
    func frames() {
        var gif = GIFBuilder(width: 1, height: 1)
        gif.addFrame(width: 1, height: 1) { _ in 0 }
        let header = GIFBuilder(width: 1, height: 1).bytes
        let frame = gif.bytes.dropFirst(header.count)
        let bytes = header + (0..<100_000).flatMap { _ in frame } + [0x3B]
        #expect(refusal(bytes)?.code == .tooManyFrames)
        let enough = header + (0..<1_000).flatMap { _ in frame } + [0x3B]
        #expect(refusal(enough) == nil)
    }

    @Test("A WebP of a hundred thousand frames, or pictures, never comes to the library")
    func webpFrames() {
        for name in ["ANMF", "VP8 ", "VP8L"] {
            let frames = [[UInt8]](repeating: Planting.riff(name, [0, 0]), count: 100_000).joined()
            let start = Planting.riff("VP8X", [2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
            #expect(refusal(Planting.riff("RIFF", Array("WEBP".utf8) + start + frames))?.code == .tooManyFrames)
        }
    }

    @Test("Frames that unpack to more than may be are refused")
    func decoded() throws {
        var limits = ImageLimits()
        limits.decodedByteCount = 4 * (20 * 14 + 11 * 9 + 25)
        #expect(refusal(GIFBuilder.sample(), limits) == nil)
        limits.decodedByteCount -= 4
        #expect(refusal(GIFBuilder.sample(), limits)?.code == .tooMuchDecoded)
        let webp = try MovingPicture.sample.webp(width: 24, height: 16)
        limits.decodedByteCount = 4 * (24 * 16 + 8 * 10 + 16 * 10)
        #expect(refusal(webp, limits) == nil)
        limits.decodedByteCount -= 4
        #expect(refusal(webp, limits)?.code == .tooMuchDecoded)
    }

    @Test("A frame of a GIF that is larger than its canvas says meets the same limits")
    func outgrown() {
        var gif = GIFBuilder(width: 1, height: 1)
        let place = gif.bytes.count + 5
        gif.addFrame(width: 1, height: 1) { _ in 0 }
        var bytes = gif.finished
        bytes.replaceSubrange(place..<place + 4, with: little(60_000) + little(60_000))
        #expect(refusal(bytes)?.code == .tooLarge)
    }

    @Test("A profile that unpacks to more than may be is refused, texts are never unpacked")
    func bombs() throws {
        let zeros = PNGChunk.deflate([UInt8](repeating: 0, count: ImageLimits.profileByteCount + 1))
        let picture = try Picture.png(.slopes(8, 8))
        let profile = Planting.chunks([("iCCP", Array("x\0\0".utf8) + zeros)], inPNG: picture)
        #expect(refusal(profile)?.code == .unsupportedColor)
        let text = Planting.chunks([("zTXt", Array("x\0\0".utf8) + zeros)], inPNG: picture)
        #expect(try cleaner.clean(text).bytes == cleaner.clean(picture).bytes)
    }

    @Test("Pixels that unpack to more than the header says are not unpacked further")
    func surplus() throws {
        let rows = PNGChunk.deflate([UInt8](repeating: 0, count: 10_000_000))
        let bytes = PNGChunk.file(PNGChunk.header(width: 4, height: 4), PNGChunk.bytes("IDAT", rows))
        let clean = try cleaner.clean(bytes)
        #expect((clean.width, clean.height) == (4, 4))
        #expect(clean.bytes.count < 200)
    }

    @Test("A PNG of more chunks than any encoder writes is refused")
    func chunks() {
        let parts = [[UInt8]](repeating: PNGChunk.bytes("IDAT", []), count: ImageLimits.pngPartCount).joined()
        #expect(refusal(PNGChunk.file(PNGChunk.header(width: 4, height: 4), Array(parts)))?.code == .damaged)
    }
}
