/// Sixty digits that two people share and compare: both fingerprints in sorted order.
///
/// Source: PROTOCOL §6.
public struct SafetyNumber: Hashable, Sendable, CustomStringConvertible {
    /// The digits without spaces.
    ///
    /// Shape: 60 decimal digits, the same on both sides.
    public let digits: String

    /// Joins the fingerprints of two people, in either order.
    public init(_ one: Fingerprint, _ other: Fingerprint) {
        digits = min(one.digits, other.digits) + max(one.digits, other.digits)
    }

    /// Whether a user typed this very number.
    ///
    /// Spaces and line ends in the text do not count.
    ///
    /// The time taken does not depend on which digit differs.
    public func matches(typed text: String) -> Bool {
        let typed = text.filter { !$0.isWhitespace }
        return constantTimeEqual(Array(typed.utf8), Array(digits.utf8))
    }

    /// The digits in groups.
    ///
    /// Shape: 12 groups of 5 digits with a space between.
    public var description: String { grouped(digits) }
}
