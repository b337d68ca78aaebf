/// The recently seen numbers of a sequence.
///
/// Older numbers count as seen.
package struct ReplayWindow: Sendable {
    /// The number of remembered numbers.
    let count: UInt64
    /// The largest number seen.
    private(set) var largest: UInt64?
    private var seen: BitRing

    /// Creates a window for `count` numbers, a multiple of 64.
    package init(count: UInt64) {
        self.count = count
        seen = BitRing(count: count)
    }

    /// Returns whether the number was seen, or is too old to check.
    func contains(_ number: UInt64) -> Bool {
        guard let largest, number <= largest else { return false }
        return largest - number >= count || seen[number]
    }

    /// Marks the number as seen; returns false if it was already seen, or is too old.
    @discardableResult
    package mutating func insert(_ number: UInt64) -> Bool {
        guard !contains(number) else { return false }
        advance(to: number)
        seen[number] = true
        return true
    }

    /// Returns the numbers below `number` as bits, set for seen ones, highest bit first, without trailing zero bytes.
    func bitmap(below number: UInt64, maximumByteCount: Int) -> [UInt8] {
        guard let largest, number <= largest, largest - number < count else { return [] }
        let reported = min(number, UInt64(maximumByteCount) * 8, count - (largest - number) - 1)
        var bitmap: [UInt8] = []
        bitmap.reserveCapacity(maximumByteCount + 8)
        var offset: UInt64 = 0
        while offset < reported {
            var bits = seen.bits(endingAt: number - 1 - offset)
            // Bits beyond this may belong to another number.
            if reported - offset < 64 { bits &= ~(.max >> (reported - offset)) }
            for shift in stride(from: 56, through: 0, by: -8) {
                bitmap.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
            offset += 64
        }
        let significant = bitmap.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        bitmap.removeLast(bitmap.count - min(significant, maximumByteCount))
        return bitmap
    }

    private mutating func advance(to number: UInt64) {
        guard let previous = largest else {
            largest = number
            return
        }
        guard number > previous else { return }
        let steps = min(number / 64 - previous / 64, count / 64 + 1)
        for step in 0..<steps { seen[word: number / 64 - step] = 0 }
        largest = number
    }
}
