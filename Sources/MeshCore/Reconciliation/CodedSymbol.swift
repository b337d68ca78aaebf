/// The sum of the ids of a set that map to one position of its code.
///
/// A symbol of a single id is *pure*: it reveals that id. The code of a set has a symbol for every position. The
/// difference of two sets' symbols at one position is the symbol of the sets' difference.
///
/// Source: Yang, Gilad, Alizadeh, "Practical rateless set reconciliation", SIGCOMM 2024; PROTOCOL §5.
struct CodedSymbol: Equatable, Sendable {
    /// The exclusive or of the ids.
    var sum: UInt64 = 0
    /// The exclusive or of the ids' salted hashes.
    var check: UInt64 = 0
    /// The number of ids; negative in a difference for ids that only the second set has.
    var count: Int64 = 0

    static let zero = CodedSymbol()

    /// Adds an id, or removes it if `times` is negative; `times` is 1 or -1.
    mutating func add(_ id: UInt64, hash: UInt64, times: Int64) {
        sum ^= id
        check ^= hash
        // A peer's counts are below 2^32, and at most as many ids as symbols are added.
        count += times
    }

    /// Subtracts the symbol of another set.
    mutating func subtract(_ other: CodedSymbol) {
        sum ^= other.sum
        check ^= other.check
        count -= other.count
    }
}
