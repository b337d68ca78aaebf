import Foundation

/// The tone curve of sRGB as tables: from the eight bits of a colour to light and back.
///
/// Source: IEC 61966-2-1, 5.2 and 5.3.
enum Tone {
    /// Units: light, 0 to 1, of each code.
    static let light: [Float] = (0...255).map { Float(linear(Double($0) / 255)) }

    /// The codes by light; less than half a code lies between two entries, even at the steepest part of the curve.
    private static let codes: [UInt8] = (0...codesEnd).map {
        UInt8((encoded(Double($0) / Double(codesEnd)) * 255).rounded())
    }
    private static let codesEnd = 16_383

    /// Returns the code of a light; a light out of range counts as the nearest end.
    static func code(_ light: Float) -> UInt8 {
        guard light > 0 else { return 0 }
        return codes[Int(min(light, 1) * Float(codesEnd) + 0.5)]
    }

    static func linear(_ code: Double) -> Double {
        code <= 0.040_45 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ light: Double) -> Double {
        light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
