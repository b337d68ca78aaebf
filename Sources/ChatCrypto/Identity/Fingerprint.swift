/// Thirty decimal digits that stand for one identity when people compare them by eye or voice.
///
/// The iterations make a search for a second key with the same digits 5,200 times more expensive. Source: PROTOCOL §6.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The digits without spaces.
    ///
    /// Shape: 30 decimal digits.
    public let digits: String

    /// The number of repetitions of the hash.
    static let iterations = 5_200
    /// The number of groups of five digits.
    static let groupCount = 6

    /// Computes the fingerprint of an identity.
    init(of identity: PublicIdentity) {
        let keys = identity.encoded
        var hash = SHA512.hash(label: Label.fingerprint, keys)
        for _ in 0..<Self.iterations {
            hash = SHA512.hash(hash, keys)
        }
        digits = (0..<Self.groupCount).map { group in
            Self.digits(of: hash[(group * 5)..<(group * 5 + 5)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000)
        }.joined()
    }

    /// The digits in groups.
    ///
    /// Shape: 6 groups of 5 digits with a space between.
    public var description: String { grouped(digits) }

    private static func digits(of number: UInt64) -> String {
        let text = String(number)
        return String(repeating: "0", count: 5 - text.count) + text
    }
}

/// Inserts a space after every fifth digit.
func grouped(_ digits: String) -> String {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 5)
        .map { String(digits[$0..<min($0 + 5, digits.count)]) }
        .joined(separator: " ")
}
