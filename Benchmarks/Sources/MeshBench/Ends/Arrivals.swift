/// What has come of one sender's messages.
struct Arrivals {
    /// Numbers in one confirmation.
    private static let wordCount = 64

    /// The first number that has not come.
    private(set) var next: UInt64 = 0
    private var newest: UInt64 = 0
    private var early: Set<UInt64> = []
    /// Messages that came since the last confirmation.
    private(set) var unconfirmedCount = 0
    var isConfirmationDue = false

    /// Notes a message, which may have come before.
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

    /// What a confirmation says.
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
