import ArgumentParser

/// A number of bytes as an option: 500000, 512K, 20M, 16G or 1T, each a power of 1,024, with or without `iB` at the
/// end.
struct ByteCountArgument: ExpressibleByArgument {
    /// Units: bytes.
    let byteCount: UInt64

    init?(argument: String) {
        guard let byteCount = Self.byteCount(argument) else { return nil }
        self.byteCount = byteCount
    }

    /// Parses a number of bytes; nil if the text is none, or if it is too large.
    static func byteCount(_ text: String) -> UInt64? {
        var digits = Substring(text)
        if digits.hasSuffix("iB") { digits = digits.dropLast(2) }
        let power = digits.last.flatMap { "KMGT".firstIndex(of: $0) }.map {
            "KMGT".distance(from: "KMGT".startIndex, to: $0)
        }
        if power != nil { digits = digits.dropLast() } else if digits.count < text.count { return nil }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt64(digits) else { return nil }
        let unit = power.map { UInt64(1) << (10 * UInt64($0 + 1)) } ?? 1
        let (byteCount, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? nil : byteCount
    }
}
