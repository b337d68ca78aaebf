/// The number of columns of a text on a terminal that draws every scalar separately.
///
/// Some terminals combine several scalars into one emoji: there a text takes fewer columns, never more, so that a row
/// that fits by this measure fits everywhere.
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
        // A variation selector for emoji makes a narrow character wide.
        if scalar.value == 0xFE0F { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The second and third parts of a Korean syllable share the columns of the first.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        // A flag is two letters, each of them narrow.
        if (0x1F1E6...0x1F1FF).contains(scalar.value) { return 1 }
        return DisplayText.isWide(scalar) ? 2 : 1
    }
}
