/// How many columns text takes on a terminal that shows every sign for itself.
///
/// Some terminals put several signs of an emoji into one: there text takes fewer columns, never more, so a row that fits
/// by this measure fits everywhere.
enum CellWidth {
    /// Units: columns.
    static func of(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// Units: columns.
    static func of(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// Units: columns.
    static func of(_ spans: [Span]) -> Int {
        spans.reduce(0) { $0 + of($1.text) }
    }

    /// Units: columns.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
        // The choice of a picture makes a narrow sign a wide one.
        if scalar.value == 0xFE0F { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The second and third parts of a Korean syllable stand in the first one's columns.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        // Flags are two letters, each of them narrow.
        if (0x1F1E6...0x1F1FF).contains(scalar.value) { return 1 }
        return DisplayText.isWide(scalar) ? 2 : 1
    }
}
