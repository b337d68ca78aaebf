import EarshotRPC

/// Text from peers, made safe for a terminal.
enum DisplayText {
    /// Makes all characters visible that could control a terminal or reorder the text around them.
    ///
    /// - Parameter keepsLines: Whether line feeds stay.
    static func safe(_ text: String, keepsLines: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if keepsLines && scalar == "\n" || !RPCCoding.isHazardous(scalar) {
                result.append(scalar)
            } else {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            }
        }
        return String(result)
    }

    /// Returns the last 48 characters of a growing text, on one line.
    static func end(of text: String) -> String {
        let end = text.suffix(48)
        let line = safe(String(end.map { $0.isNewline ? " " : $0 }))
        return end.startIndex > text.startIndex ? "…\(line)" : line
    }

    /// Units: columns of a terminal.
    static func width(_ text: String) -> Int {
        text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: isWide) ? 2 : 1) }
    }

    /// Pads the text with spaces up to a number of columns.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - Self.width(text)))
    }

    /// Cuts the text, with an ellipsis, if it takes more columns.
    static func shortened(_ text: String, to width: Int) -> String {
        guard Self.width(text) > width else { return text }
        var result = ""
        var room = width - 1
        for character in text {
            room -= Self.width(String(character))
            guard room >= 0 else { break }
            result.append(character)
        }
        return result + "…"
    }

    static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F { return true }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
