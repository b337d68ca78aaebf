/// The part of an ICC profile of three colorants, or of grey, that converts its colours into sRGB.
///
/// Source: ICC.1:2022, 7.2 header, 7.3 tag table, 8.3.3 and 8.4.3 display profiles of colorants and curves.
struct ColorProfile {
    /// The curves from code to light of red, green and blue.
    let curves: [ToneCurve]
    /// The sRGB light of one unit of light of each colorant; nil if grey stays grey.
    let matrix: ColorMatrix?

    /// The largest distance, in each number, of profiles that count as sRGB; one code of 255 is 0.004.
    private static let tolerance = 0.004

    /// Reads the profile in `bytes`, if it shows the picture differently from sRGB.
    ///
    /// - Returns: Nil for sRGB, and for bytes that are no profile: viewers ignore those.
    /// - Throws: `unsupportedColor` for profiles with tables, of inks or of another kind.
    static func other(in bytes: [UInt8]) throws(MediaRefusal) -> ColorProfile? {
        guard bytes.dropFirst(36).begins(with: "acsp"), let tags = ProfileTags(bytes) else { return nil }
        let space = bytes.dropFirst(16).prefix(4)
        if space.begins(with: "GRAY"), let curve = tags.curve("kTRC") {
            return ColorProfile(curves: [curve, curve, curve], matrix: nil).unlessStandard
        }
        guard space.begins(with: "RGB "), bytes.dropFirst(20).begins(with: "XYZ "),
            let red = tags.color("rXYZ"), let green = tags.color("gXYZ"), let blue = tags.color("bXYZ"),
            let redCurve = tags.curve("rTRC"), let greenCurve = tags.curve("gTRC"), let blueCurve = tags.curve("bTRC")
        else { throw .unsupportedColor }
        let matrix = ColorMatrix.standardFromConnection.times(ColorMatrix(columns: [red, green, blue]))
        return ColorProfile(curves: [redCurve, greenCurve, blueCurve], matrix: matrix).unlessStandard
    }

    private var unlessStandard: ColorProfile? {
        let hasStandardMatrix = matrix?.isIdentity(within: Self.tolerance) ?? true
        let hasStandardCurves = curves.allSatisfy { curve in
            (0...32).allSatisfy { abs(curve.light(Double($0) / 32) - Tone.linear(Double($0) / 32)) <= Self.tolerance }
        }
        return hasStandardMatrix && hasStandardCurves ? nil : self
    }
}

extension Bitmap {
    /// Converts the colours of a profile into those of sRGB; a colour outside of sRGB becomes the nearest one.
    mutating func convert(from profile: ColorProfile) {
        let tables = profile.curves.map { curve in (0...255).map { Float(curve.light(Double($0) / 255)) } }
        let columns = profile.matrix?.floatColumns
        for place in pixels.indices {
            let pixel = pixels[place]
            let (red, green, blue) = (
                tables[0][Int(pixel & 0xFF)], tables[1][Int(pixel >> 8 & 0xFF)], tables[2][Int(pixel >> 16 & 0xFF)]
            )
            var light = SIMD3(red, green, blue)
            if let columns { light = columns[0] * red + columns[1] * green + columns[2] * blue }
            pixels[place] =
                UInt32(Tone.code(light.x)) | UInt32(Tone.code(light.y)) << 8 | UInt32(Tone.code(light.z)) << 16
                | pixel & 0xFF00_0000
        }
    }
}
