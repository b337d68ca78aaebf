/// The arrivals of one sender's messages.
struct Arrivals {
    /// The count of numbers in one confirmation.
    private static let wordCount = 64

    /// The first number that has not arrived.
    private(set) var next: UInt64 = 0
    private var newest: UInt64 = 0
    private var early: Set<UInt64> = []
    /// The messages that arrived since the last confirmation.
    private(set) var unconfirmedCount = 0
    var isConfirmationDue = false

    /// Records a message, which may be a duplicate.
    mutating func note(_ number: UInt64) {
        newest = max(newest, number)
        unconfirmedCount += 1
        if number == next, early.isEmpty {
            next += 1
        } else if number >= next {
            early.insert(number)
            while early.remove(next) != nil { next += 1 }
        }
    }

    /// Builds the words of a confirmation.
    mutating func confirmation() -> [UInt64] {
        unconfirmedCount = 0
        guard !early.isEmpty else { return [next, newest] }
        var words = [next, newest]
        for number in next..<newest where words.count < Self.wordCount && !early.contains(number) {
            words.append(number)
        }
        return words
    }
}
