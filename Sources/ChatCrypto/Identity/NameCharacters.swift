/// The characters that names of people, groups and rooms may have; every part of a name is visible.
///
/// The rules depend on code points alone, never on the tables of the platform, so that every node accepts the same
/// bundles. They are made from Unicode 16.0. Code points that it has not assigned are accepted. Source: PROTOCOL §6.1.
enum NameCharacters {
    /// Whether a name has no refused character, and has joiners and selectors only in positions in which they have a
    /// use.
    static func areAllowed(in text: String) -> Bool {
        let values = text.unicodeScalars.map(\.value)
        return values.indices.allSatisfy { index in
            let value = values[index]
            let before = index > 0 ? values[index - 1] : nil
            let after = index + 1 < values.count ? values[index + 1] : nil
            guard joiners.contains(value) || selectors.contains(value) else {
                return !isIn(refused, value) && value & 0xFFFE != 0xFFFE
            }
            guard let before else { return false }
            if selectors.contains(value) { return isIn(selected, before) }
            guard let after else { return false }
            let joinsLetters = isIn(joined, before) && isIn(joined, after)
            let joinsPictures = value == 0x200D && isIn(pictures, after) && (isIn(pictures, before) || before == 0xFE0F)
            return joinsLetters || joinsPictures
        }
    }

    /// Whether a name has a visible part: more than spaces and combining marks.
    static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { !isBlank($0.value) }
    }

    /// Whether a character adds nothing, or almost nothing, to the look of a name.
    static func isBlank(_ value: UInt32) -> Bool {
        isIn(spaces, value) || isIn(marks, value) || joiners.contains(value) || selectors.contains(value)
    }

    private static func isIn(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
        ranges.contains { $0.contains(value) }
    }

    /// The zero width joiner and non-joiner.
    private static let joiners: ClosedRange<UInt32> = 0x200C...0x200D
    /// The variation selectors for text and for emoji.
    private static let selectors: ClosedRange<UInt32> = 0xFE0E...0xFE0F

    /// The refused characters: controls, format characters, fillers, private use and noncharacters.
    ///
    /// The last two code points of every plane are refused too.
    private static let refused: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x600...0x605, 0x61C...0x61C, 0x6DD...0x6DD,
        0x70F...0x70F,
        0x890...0x891, 0x8E2...0x8E2, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F,
        0x2028...0x202E,
        0x2060...0x206F, 0x2800...0x2800, 0x3164...0x3164, 0xE000...0xF8FF, 0xFDD0...0xFDEF, 0xFE00...0xFE0D,
        0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFC, 0x110BD...0x110BD, 0x110CD...0x110CD, 0x13430...0x1343F,
        0x1BCA0...0x1BCA3, 0x1D159...0x1D159, 0x1D173...0x1D17A, 0xE0000...0x10FFFF,
    ]
    /// The white space that is not refused.
    private static let spaces: [ClosedRange<UInt32>] = [
        0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
    ]
    /// The blocks of combining marks that belong to no script.
    private static let marks: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]
    /// The scripts in which joiners change the look of letters: Arabic to Myanmar, Khmer and Mongolian, and later
    /// additions.
    private static let joined: [ClosedRange<UInt32>] = [
        0x600...0x109F, 0x1780...0x18AF, 0xA840...0xABFF, 0x10A00...0x11FFF,
    ]
    /// Emoji and other symbols, including skin tones.
    private static let pictures: [ClosedRange<UInt32>] = [0x203C...0x3299, 0x1F000...0x1FAFF]
    /// The characters that can be shown as text or as an emoji: those in `pictures`, digits, `#`, `*`, and the signs ©
    /// and ®.
    private static let selected: [ClosedRange<UInt32>] =
        pictures + [0x23...0x23, 0x2A...0x2A, 0x30...0x39, 0xA9...0xA9, 0xAE...0xAE]
}
