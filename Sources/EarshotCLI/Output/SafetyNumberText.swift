/// Safety numbers as people read them to each other.
enum SafetyNumberText {
    /// The digits in groups of five.
    static func grouped(_ number: String) -> String {
        var groups: [Substring] = []
        var rest = number[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(5))
            rest = rest.dropFirst(5)
        }
        return groups.joined(separator: " ")
    }

    /// The digits alone of what somebody typed or pasted; nil where there are not 60 of them or something else is there.
    static func digits(_ text: String) -> String? {
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        return digits.count == 60 && digits.allSatisfy { $0.isASCII && $0.isNumber } ? digits : nil
    }
}
