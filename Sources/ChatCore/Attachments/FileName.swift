import ChatCrypto

/// Names of files as they come from elsewhere.
package enum FileName {
    /// Units: bytes of UTF-8, so that there is room for a number behind it in every file system.
    package static let byteCount = 200
    /// Units: bytes of the longest ending that a name which is too long keeps, with its dot.
    private static let endingByteCount = 16
    /// What a file is called whose name has nothing left.
    private static let fallback = "file"

    /// A name that can be shown and given to a file: no path, nothing hidden, nothing that commands a terminal.
    ///
    /// What a person reads of it stays; of a path the last component does.
    package static func safe(_ text: String) -> String {
        // By scalars: with an accent behind it, a slash would be another character and yet a slash in the path.
        let last = text.unicodeScalars.split(omittingEmptySubsequences: true) { $0 == "/" || $0 == "\\" }.last
        var visible = String.UnicodeScalarView()
        if let last { visible.append(contentsOf: last.filter(isAllowed)) }
        let trimmed = trim(CanonicalText.composed(String(visible)))
        guard trimmed.utf8.count > byteCount else { return trimmed.isEmpty ? fallback : trimmed }
        let ending = trimmed.lastIndex(of: ".").map { String(trimmed[$0...]) } ?? ""
        guard ending.utf8.count <= endingByteCount else { return trim(prefix(trimmed, byteCount)) }
        return prefix(trimmed, byteCount - ending.utf8.count) + ending
    }

    /// The name with a number in front of its ending, for a place where the name itself is taken.
    package static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }

    /// Without white space around it, and without dots and dashes in front, which hide a file or command a program.
    private static func trim(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let start = scalars.drop { $0 == "." || $0 == "-" || $0.properties.isWhitespace }
        let end = start.lastIndex { !$0.properties.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// The characters that fit; of one that does not fit alone, the scalars that do.
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
