import Foundation

/// A text in the form in which it is searched: small letters without accents, and words separated by single spaces.
///
/// Case, accents, width and other variants of one letter are removed, whatever the script. Everything between two words
/// becomes one space. One space stands before the first word and one after the last, so that " word " is a whole word
/// and " wor" the beginning of one. Scripts that write no spaces, and signs such as emoji, are found by any part of
/// them: a space separates them from the text beside them.
/// Invariant: no two spaces in a row; no byte below a space.
package struct FoldedText {
    private enum Kind {
        case gap
        /// A letter of a script that separates its words.
        case spaced
        /// A letter of a script that does not, or a sign.
        case unspaced
    }

    /// Shape: UTF-8.
    package private(set) var bytes: [UInt8] = [Self.space]
    private var last = Kind.gap
    private var first = Kind.gap
    /// The kind of the last letter.
    private var lastWord = Kind.gap

    static let space = UInt8(ascii: " ")

    /// Whether the text begins with a letter that is found within a word too.
    var beginsUnspaced: Bool { first == .unspaced }
    /// Whether the text ends with such a letter.
    var endsUnspaced: Bool { lastWord == .unspaced }

    /// Folds a text.
    package init(_ text: String) {
        append(text)
        end()
    }

    /// Makes an empty text to append to.
    init() {}

    /// Appends a text that does not begin within a letter.
    mutating func append(_ text: String) {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            for byte in text.utf8 { appendASCII(byte) }
            return
        }
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars { append(scalar) }
    }

    /// Ends the last word.
    mutating func end() { put(.gap) }

    private mutating func appendASCII(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): put(.spaced, byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): put(.spaced, byte | 0x20)
        case UInt8(ascii: "$"), UInt8(ascii: "+"), UInt8(ascii: "<")...UInt8(ascii: ">"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            put(.unspaced, byte)
        default: put(.gap)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII { return appendASCII(UInt8(truncatingIfNeeded: scalar.value)) }
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint else { return }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            // Accents have places around a letter; a mark without a place, or with a low number, is part of the letter.
            guard properties.canonicalCombiningClass.rawValue < Self.accentClass else { return }
            put(last == .gap ? .spaced : last, Array(String(scalar).utf8))
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: put(.unspaced, Array(String(scalar).utf8))
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            let letter = properties.lowercaseMapping
            put(Self.isUnspaced(scalar) ? .unspaced : .spaced, Array((Self.letters[letter] ?? letter).utf8))
        default: put(.gap)
        }
    }

    private mutating func put(_ kind: Kind, _ letter: UInt8) {
        part(kind)
        bytes.append(letter)
    }

    private mutating func put(_ kind: Kind, _ letter: [UInt8] = []) {
        part(kind)
        bytes.append(contentsOf: letter)
    }

    private mutating func part(_ kind: Kind) {
        if kind != last, last != .gap { bytes.append(Self.space) }
        last = kind
        if kind != .gap { lastWord = kind }
        if first == .gap { first = kind }
    }

    /// Marks below this class belong to their letter, as the strokes of Kana do; from it on are the places of accents.
    private static let accentClass: UInt8 = 10

    /// Letters that people take for others, and that Unicode does not decompose.
    private static let letters: [String: String] = [
        "ß": "ss", "ς": "σ", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th",
    ]

    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Thai, Lao, Tibetan, Myanmar, Khmer; ideographs, Kana, Bopomofo.
        case 0x0E00...0x109F, 0x1780...0x17FF, 0x2E80...0x2FFF, 0x3005...0x312F, 0x31A0...0x31FF, 0x3400...0x9FFF,
            0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
