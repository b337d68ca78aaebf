import MeshCore

/// The formatting of numbers and text for pictures: the same on every machine, and safe in XML.
enum PictureText {
    /// Formats a number with one decimal, which is left out if it is 0.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
    }

    /// Formats a count of things, with commas between thousands.
    static func count(_ count: Int, _ thing: String) -> String {
        "\(grouped(count)) \(thing)\(count == 1 ? "" : "s")"
    }

    /// Formats a duration in milliseconds, with a decimal if it is short.
    static func milliseconds(_ duration: Duration) -> String {
        let milliseconds = Double(duration.wholeNanoseconds) / 1e6
        return milliseconds < 100 ? number(milliseconds) : grouped(Int(milliseconds.rounded()))
    }

    /// Escapes text for use between tags or in an attribute.
    ///
    /// Markup and characters that XML does not allow are replaced.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            default:
                let isCharacter = scalar.value >= 0x20 && !(0xFFFE...0xFFFF).contains(scalar.value)
                result.unicodeScalars.append(isCharacter ? scalar : "\u{FFFD}")
            }
        }
        return result
    }

    /// Formats a whole number with commas between thousands.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digits[index])
        }
    }
}
