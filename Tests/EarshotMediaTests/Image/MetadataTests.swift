import CTurboJPEG
import Foundation
import Testing

@testable import EarshotMedia

/// The judge is ExifTool: it writes the metadata that cleaning must remove, and reads the metadata that remains.
@Suite("Metadata of pictures", .enabled(if: ExifTool.isInstalled, ExifTool.need))
struct MetadataTests {
    /// The tags of a picture without metadata: the fields of its format, and those that ExifTool computes from them.
    static let structure: Set<String> = [
        "File:FileType", "File:FileTypeExtension", "File:MIMEType", "Composite:ImageSize", "Composite:Megapixels",
        "File:ImageWidth", "File:ImageHeight", "File:EncodingProcess", "File:BitsPerSample", "File:ColorComponents",
        "File:YCbCrSubSampling", "JFIF:JFIFVersion", "JFIF:ResolutionUnit", "JFIF:XResolution", "JFIF:YResolution",
        "PNG:ImageWidth", "PNG:ImageHeight", "PNG:BitDepth", "PNG:ColorType", "PNG:Compression", "PNG:Filter",
        "PNG:Interlace", "PNG:Palette", "PNG:Transparency",
        "RIFF:VP8Version", "RIFF:ImageWidth", "RIFF:ImageHeight", "RIFF:HorizontalScale", "RIFF:VerticalScale",
        "RIFF:WebP_Flags", "RIFF:BackgroundColor", "RIFF:AnimationLoopCount", "RIFF:FrameCount", "RIFF:Duration",
        "RIFF:AlphaPreprocessing", "RIFF:AlphaFiltering", "RIFF:AlphaCompression", "RIFF:ImageWidth",
        "GIF:GIFVersion", "GIF:ImageWidth", "GIF:ImageHeight", "GIF:HasColorMap", "GIF:ColorResolutionDepth",
        "GIF:BitsPerPixel", "GIF:BackgroundColor", "GIF:AnimationIterations", "GIF:FrameCount", "GIF:Duration",
        "GIF:TransparentColor",
    ]

    /// Checks that the judge finds metadata in each original file and none in the cleaned one.
    private func judge(_ files: [[UInt8]], ending: String, longestEdge: Int? = nil) throws {
        let cleaner = ImageCleaner()
        let clean = try files.map { try cleaner.clean($0, longestEdge: longestEdge).bytes }
        for (before, after) in zip(files, clean) {
            #expect(before.holdsSecret)
            #expect(!after.holdsSecret)
        }
        let tags = try ExifTool.tags(of: files + clean, ending: ending)
        try #require(tags.count == files.count * 2)
        for before in tags.prefix(files.count) { #expect(before.subtracting(Self.structure).count > 8) }
        for after in tags.suffix(files.count) { #expect(after.subtracting(Self.structure) == []) }
    }

    private func plantedJPEGs() throws -> [[UInt8]] {
        let preview = try Picture.jpeg(.quarters(16, 16))
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "preview.jpg")
        try Data(preview).write(to: file)
        let pictures = try [
            Picture.jpeg(.slopes(48, 32)), Picture.jpeg(.slopes(45, 31), isProgressive: true),
            Picture.jpeg(.slopes(40, 40), subsampling: TJSAMP_GRAY),
            Picture.jpeg(.slopes(33, 35), subsampling: TJSAMP_444),
        ]
        return try pictures.enumerated().map { index, picture in
            let tags =
                Planting.tags + [
                    "-ThumbnailImage<=\(file.path)", "-IPTC:Caption-Abstract=\(Planting.secret)",
                    "-Photoshop:CopyrightFlag=1", "-n", "-Orientation=\(index + 1)", "-XResolution=313",
                ]
            let tagged = try ExifTool.plant(tags, into: picture, ending: "jpg")
            return Planting.inJPEG(tagged, trailer: preview + Planting.secretBytes)
        }
    }

    @Test("Nothing is left in a JPEG: Exif, places, IPTC, XMP, previews, unknown segments, a second picture, a trailer")
    func jpeg() throws {
        try judge(plantedJPEGs(), ending: "jpg")
    }

    @Test("Nothing is left in a JPEG that was made smaller")
    func smallJPEG() throws {
        try judge(plantedJPEGs(), ending: "jpg", longestEdge: 20)
    }

    @Test("Nothing is left in a PNG: texts packed or not, Exif, XMP, times, unknown chunks, a trailer")
    func png() throws {
        let pictures = try [
            Picture.png(.slopes(20, 14)), Picture.png(.veil(20, 14)), Picture.png(.quarters(20, 14)),
            Picture.png(
                Bitmap(width: 30, height: 20) { x, y in [UInt8](repeating: UInt8(x * y / 3), count: 3) + [255] }
            ),
        ]
        let planted = try pictures.map {
            Planting.inPNG(try ExifTool.plant(Planting.tags, into: $0, ending: "png"))
        }
        try judge(planted, ending: "png")
        try judge(planted, ending: "png", longestEdge: 9)
    }

    @Test("Nothing is left in a WebP: Exif, XMP, unknown chunks, a trailer")
    func webp() throws {
        let pictures = try [
            Picture.webp(.slopes(20, 14)), Picture.webp(.veil(20, 14)), Picture.webp(.veil(21, 13), lossless: true),
            MovingPicture.sample.webp(width: 24, height: 16),
        ]
        let planted = try pictures.map {
            let tagged = try ExifTool.plant(Planting.tags, into: $0, ending: "webp")
            return try Planting.inWebP(tagged, chunks: [("SECR", Planting.secretBytes)])
        }
        try judge(planted, ending: "webp")
        try judge(planted, ending: "webp", longestEdge: 9)
    }

    @Test("Nothing is left in a GIF: comments, texts, XMP, data of programs, bytes behind pixels, a trailer")
    func gif() throws {
        let planted = try ExifTool.plant(Planting.tags, into: GIFBuilder.sample(secret: Planting.secret), ending: "gif")
        try judge([planted], ending: "gif")
    }
}
