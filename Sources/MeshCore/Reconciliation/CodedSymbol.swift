/// The sum of those ids of a set that fall on one place of its code.
///
/// A symbol of one id alone is *pure*: it names that id. The code of a set has a symbol for every place; the difference
/// of two sets' symbols at one place is the symbol of the sets' difference.
///
/// Source: Yang, Gilad, Alizadeh, "Practical rateless set reconciliation", SIGCOMM 2024; PROTOCOL §5.
struct CodedSymbol: Equatable, Sendable {
    /// The exclusive or of the ids.
    var sum: UInt64 = 0
    /// The exclusive or of the ids' salted hashes.
    var check: UInt64 = 0
    /// How many ids there are; negative in a difference for those that only the second set has.
    var count: Int64 = 0

    static let zero = CodedSymbol()

    /// Adds an id so many times, or takes it away if `times` is negative; `times` is 1 or -1.
    mutating func add(_ id: UInt64, hash: UInt64, times: Int64) {
        sum ^= id
        check ^= hash
        // A peer's counts are below 2^32, and no more ids than symbols come on top.
        count += times
    }

    /// Takes away the symbol of another set.
    mutating func subtract(_ other: CodedSymbol) {
        sum ^= other.sum
        check ^= other.check
        count -= other.count
    }
}
