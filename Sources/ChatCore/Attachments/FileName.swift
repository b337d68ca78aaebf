import ChatCrypto

/// Names of files that come from other nodes or programs.
package enum FileName {
    /// The longest name.
    ///
    /// Units: bytes of UTF-8, which leaves room for a number after it in every file system.
    package static let byteCount = 200
    /// The longest ending that a shortened name keeps, with its dot.
    ///
    /// Units: bytes.
    private static let endingByteCount = 16
    /// The name of a file whose own name has no usable character.
    private static let fallback = "file"

    /// Makes a name safe to show and to use for a file: no path, nothing hidden, no control character for a terminal.
    ///
    /// The readable characters stay; a path is reduced to its last component.
    package static func safe(_ text: String) -> String {
        // By scalars: a slash with a combining accent is another character, but still a slash in the path.
        let last = text.unicodeScalars.split(omittingEmptySubsequences: true) { $0 == "/" || $0 == "\\" }.last
        var visible = String.UnicodeScalarView()
        if let last { visible.append(contentsOf: last.filter(isAllowed)) }
        let trimmed = trim(CanonicalText.composed(String(visible)))
        guard trimmed.utf8.count > byteCount else { return trimmed.isEmpty ? fallback : trimmed }
        let ending = trimmed.lastIndex(of: ".").map { String(trimmed[$0...]) } ?? ""
        guard ending.utf8.count <= endingByteCount else { return trim(prefix(trimmed, byteCount)) }
        return prefix(trimmed, byteCount - ending.utf8.count) + ending
    }

    /// Inserts a number before the ending of a name, for a directory in which the name itself is taken.
    package static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }

    /// Removes white space around a name, and dots and dashes at its start, which hide a file or look like a command
    /// option.
    private static func trim(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let start = scalars.drop { $0 == "." || $0 == "-" || $0.properties.isWhitespace }
        let end = start.lastIndex { !$0.properties.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// Returns the characters that fit; if the first one does not fit, its scalars that do.
    private static func prefix(_ text: String, _ byteCount: Int) -> String {
        var whole = ""
        for character in text {
            guard whole.utf8.count + character.utf8.count <= byteCount else { break }
            whole.append(character)
        }
        guard whole.isEmpty else { return whole }
        for scalar in text.unicodeScalars {
            guard whole.utf8.count + UTF8.width(scalar) <= byteCount else { break }
            whole.unicodeScalars.append(scalar)
        }
        return whole
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Of the format characters only the two joiners, which some scripts and emoji need, reorder nothing.
        case .format: scalar.value == 0x200D || scalar.value == 0x200C
        default: true
        }
    }
}
