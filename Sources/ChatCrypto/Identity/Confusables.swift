/// A small table of characters that look like a Latin letter in common fonts.
///
/// The table is incomplete: it only warns the user, and names never decide anything.
enum Confusables {
    /// Folds case, drops spaces, joiners and combining marks, and replaces look-alikes by one Latin letter.
    static func skeleton(of text: String) -> String {
        var skeleton = ""
        for scalar in text.lowercased().unicodeScalars {
            guard !NameCharacters.isBlank(scalar.value) else { continue }
            skeleton.unicodeScalars.append(table[scalar] ?? scalar)
        }
        return pairs.reduce(skeleton) { folded, pair in
            folded.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1)
        }
    }

    /// Pairs of letters that look like one letter.
    private static let pairs: [(String, String)] = [("rn", "m"), ("vv", "w")]

    /// The rows of the table: a letter, then the characters that look like it.
    private static let rows: [(Unicode.Scalar, String)] = [
        ("a", "аαɑ"), ("b", "вьβƅ"), ("c", "сϲᴄ"), ("d", "ԁ"), ("e", "еεҽ℮"), ("f", "ƒ"), ("g", "ɡց"), ("h", "нһհ"),
        ("j", "јϳ"), ("k", "кκ"), ("l", "1iіι|ıӏǀⅼ!"), ("m", "мⅿ"), ("n", "ηпո"), ("o", "0оοօσ"), ("p", "рρ"),
        ("q", "ԛ"), ("r", "г"), ("s", "5ѕ$"), ("t", "тτ"), ("u", "υսц"), ("v", "νѵ"), ("w", "ωԝш"), ("x", "хχ×"),
        ("y", "уγү"), ("z", "2зᴢ"),
    ]

    private static let table: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letter, lookAlikes) in rows {
            for scalar in lookAlikes.unicodeScalars { table[scalar] = letter }
        }
        return table
    }()
}
