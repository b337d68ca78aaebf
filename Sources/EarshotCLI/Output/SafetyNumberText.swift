/// Safety numbers in the form in which people read them aloud.
enum SafetyNumberText {
    /// Groups the digits by five.
    static func grouped(_ number: String) -> String {
        var groups: [Substring] = []
        var rest = number[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(5))
            rest = rest.dropFirst(5)
        }
        return groups.joined(separator: " ")
    }

    /// Makes the sentence about a typed number that has not 60 digits.
    static func mistake(digitCount: Int) -> String {
        "A safety number has 60 digits; you typed \(digitCount)."
    }

    /// Extracts the digits of a typed or pasted number; nil unless they are 60 digits and nothing else.
    static func digits(_ text: String) -> String? {
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        return digits.count == 60 && digits.allSatisfy { $0.isASCII && $0.isNumber } ? digits : nil
    }
}
