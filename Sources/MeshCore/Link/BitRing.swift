/// One bit for each of the newest numbers of a sequence that only grows.
///
/// The ring has one word more than `count` numbers need, so that a whole word can be cleared ahead of them.
struct BitRing {
    private var words: [UInt64]

    /// Creates a ring for `count` numbers, a multiple of 64.
    init(count: UInt64) {
        words = [UInt64](repeating: 0, count: Int(count / 64 + 1))
    }

    subscript(number: UInt64) -> Bool {
        get { words[place(number / 64)] & Self.mask(number) != 0 }
        set {
            if newValue {
                words[place(number / 64)] |= Self.mask(number)
            } else {
                words[place(number / 64)] &= ~Self.mask(number)
            }
        }
    }

    /// The bits of the numbers from 64 times `index` on, the lowest bit first.
    subscript(word index: UInt64) -> UInt64 {
        get { words[place(index)] }
        set { words[place(index)] = newValue }
    }

    /// Returns the bits of `number` (highest bit) and of the 63 numbers below it.
    ///
    /// Bits for numbers below zero are not set.
    func bits(endingAt number: UInt64) -> UInt64 {
        let high = words[place(number / 64)] << (63 - number % 64)
        guard number >= 64, number % 64 != 63 else { return high }
        return high | words[place(number / 64 - 1)] >> (number % 64 + 1)
    }

    private func place(_ index: UInt64) -> Int {
        Int(index % UInt64(words.count))
    }

    private static func mask(_ number: UInt64) -> UInt64 {
        1 << (number % 64)
    }
}
