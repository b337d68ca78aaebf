import CTurboJPEG
import Testing

@testable import EarshotMedia

@Suite("Colour profiles")
struct ColorProfileTests {
    private let cleaner = ImageCleaner()

    private func inJPEG(_ profile: [UInt8], _ picture: [UInt8], parts: Int = 1) -> [UInt8] {
        let size = (profile.count + parts - 1) / parts
        let segments = (0..<parts).flatMap { part in
            let piece = profile.dropFirst(part * size).prefix(size)
            return Planting.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(part + 1), UInt8(parts)] + piece)
        }
        return picture.prefix(2) + segments + picture.dropFirst(2)
    }

    private func inPNG(_ profile: [UInt8], _ picture: [UInt8]) -> [UInt8] {
        let body = Array("\(Planting.secret)\0\0".utf8) + PNGChunk.deflate(profile)
        return Planting.chunks([("iCCP", body)], inPNG: picture)
    }

    @Test("A profile of sRGB goes and changes nothing", arguments: [ProfileBuilder.Curve.standard, .standardTable])
    func standard(curve: ProfileBuilder.Curve) throws {
        let profile = ProfileBuilder.profile(ProfileBuilder.standardColorants, curve)
        #expect(try ColorProfile.other(in: profile) == nil)
        let jpeg = try Picture.jpeg(.slopes(32, 16))
        #expect(try cleaner.clean(inJPEG(profile, jpeg)) == cleaner.clean(jpeg))
        let webp = try Picture.webp(.slopes(32, 16))
        #expect(try cleaner.clean(Planting.inWebP(webp, chunks: [("ICCP", profile)])) == cleaner.clean(webp))
    }

    @Test("Colours of Display P3 become those of sRGB in every format")
    func wide() throws {
        // The expected values come from the matrix of Display P3 to sRGB, both with the white point D65: 214.9, 92.6,
        // 31.0.
        let profile = ProfileBuilder.profile(ProfileBuilder.displayP3Colorants, .standard)
        let flat = Bitmap(width: 16, height: 16) { _, _ in [200, 100, 50, 255] }
        let expected = Bitmap(width: 16, height: 16) { _, _ in [215, 93, 31, 255] }
        let png = try cleaner.clean(inPNG(profile, Picture.png(flat)))
        #expect(try Picture.decode(png).similarity(to: expected) > 45)
        #expect(!png.bytes.holdsSecret)
        let jpeg = try cleaner.clean(inJPEG(profile, Picture.jpeg(flat, subsampling: TJSAMP_444), parts: 3))
        #expect(try Picture.decode(jpeg).similarity(to: expected) > 40)
        let webp = try cleaner.clean(
            Planting.inWebP(Picture.webp(flat, lossless: true), chunks: [("ICCP", profile)])
        )
        #expect(try Picture.decode(webp).similarity(to: expected) > 45)
    }

    @Test("A grey profile turns greys, and greys only")
    func grey() throws {
        let profile = ProfileBuilder.grey(.gamma(1.0))
        let flat = Bitmap(width: 16, height: 16) { _, _ in [55, 55, 55, 255] }
        // A light of 55/255 is the code 128 of sRGB.
        let expected = Bitmap(width: 16, height: 16) { _, _ in [128, 128, 128, 255] }
        #expect(try Picture.decode(cleaner.clean(inPNG(profile, Picture.png(flat)))) == expected)
    }

    @Test("A gamma without a profile is applied by the library")
    func gamma() throws {
        let flat = Bitmap(width: 16, height: 16) { _, _ in [55, 55, 55, 255] }
        let picture = try Planting.chunks([("gAMA", [0, 1, 0x86, 0xA0])], inPNG: Picture.png(flat))
        let clean = try cleaner.clean(picture)
        let shade = try Int(#require(Picture.decode(clean).pixels.first) & 0xFF)
        #expect(abs(shade - 128) <= 2)
    }

    @Test("Profiles of tables and of inks are refused, and animations in other colours")
    func unsupported() throws {
        let jpeg = try Picture.jpeg(.slopes(32, 16))
        let wide = ProfileBuilder.profile(ProfileBuilder.displayP3Colorants, .standard)
        let moving = try MovingPicture.sample.webp(width: 24, height: 16)
        let bytes = [
            inJPEG(ProfileBuilder.profile(space: "CMYK", tags: []), jpeg),
            inJPEG(ProfileBuilder.profile(space: "RGB ", tags: []), jpeg),
            inJPEG(ProfileBuilder.profile(space: "GRAY", tags: []), jpeg),
            try Planting.inWebP(moving, chunks: [("ICCP", wide)]),
        ]
        for bytes in bytes {
            let refusal = #expect(throws: MediaRefusal.self) { try cleaner.clean(bytes) }
            #expect(refusal == .unsupportedColor)
        }
    }

    @Test("What is no profile, or not all of one, is as if it were not there")
    func nonsense() throws {
        let jpeg = try Picture.jpeg(.slopes(32, 16))
        let wide = ProfileBuilder.profile(ProfileBuilder.displayP3Colorants, .standard)
        let clean = try cleaner.clean(jpeg)
        #expect(try cleaner.clean(inJPEG(Array(Planting.secretBytes), jpeg)) == clean)
        #expect(try cleaner.clean(inJPEG(Array(wide.prefix(200)), jpeg)) == clean)
        let missing =
            jpeg.prefix(2)
            + Planting.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 2] + wide) + jpeg.dropFirst(2)
        #expect(try cleaner.clean(Array(missing)) == clean)
    }

    @Test("Curves of every kind give light from 0 to 1", arguments: 0..<5)
    func curves(type: UInt8) throws {
        let numbers: [UInt32] = [0x8000_0000, 0x7FFF_FFFF, 0, 1, 0xFFFF_FFFF, 0x0002_6666, 0x0001_0000]
        for first in numbers {
            for second in numbers {
                var element = Array("para\0\0\0\0".utf8) + [0, type, 0, 0]
                for value in [first, second, first, second, first, second, first] {
                    element += [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
                }
                let curve = try #require(ToneCurve(element[...]))
                for code in stride(from: 0.0, through: 1, by: 0.125) { #expect(0...1 ~= curve.light(code)) }
            }
        }
    }
}
