/// Remembers which of the last 2,048 numbers were seen; older ones count as seen.
///
/// The bits lie in a ring of one word more than the window, so that moving on clears whole words only.
package struct ReplayWindow: Sendable {
    private static let wordCount: UInt64 = LinkProtocol.replayWindowCount / 64 + 1

    /// Starts with nothing seen.
    package init() {}

    /// The largest number seen.
    private(set) var largest: UInt64?
    private var words = [UInt64](repeating: 0, count: Int(Self.wordCount))

    /// Whether the number was seen, or is too old to tell.
    func contains(_ number: UInt64) -> Bool {
        guard let largest, number <= largest else { return false }
        guard largest - number < LinkProtocol.replayWindowCount else { return true }
        return words[Self.index(of: number)] & Self.mask(of: number) != 0
    }

    /// Marks the number as seen; false if it was, or is too old.
    @discardableResult
    package mutating func insert(_ number: UInt64) -> Bool {
        guard !contains(number) else { return false }
        advance(to: number)
        words[Self.index(of: number)] |= Self.mask(of: number)
        return true
    }

    /// The numbers below `number`, seen ones as set bits, highest bit first, without trailing zero bytes.
    func bitmap(below number: UInt64, maximumByteCount: Int) -> [UInt8] {
        guard let largest, number <= largest else { return [] }
        var bitmap: [UInt8] = []
        bitmap.reserveCapacity(maximumByteCount)
        var significantCount = 0
        for offset in 0..<maximumByteCount {
            var byte: UInt8 = 0
            for bit in 0..<8 {
                let distance = UInt64(offset * 8 + bit + 1)
                guard distance <= number else { break }
                let other = number - distance
                guard largest - other < LinkProtocol.replayWindowCount else { break }
                if words[Self.index(of: other)] & Self.mask(of: other) != 0 { byte |= 0x80 >> UInt8(bit) }
            }
            bitmap.append(byte)
            if byte != 0 { significantCount = offset + 1 }
        }
        bitmap.removeLast(maximumByteCount - significantCount)
        return bitmap
    }

    private mutating func advance(to number: UInt64) {
        guard let previous = largest else {
            largest = number
            return
        }
        guard number > previous else { return }
        let steps = min(number / 64 - previous / 64, Self.wordCount)
        for step in 0..<steps {
            words[Int((number / 64 - step) % Self.wordCount)] = 0
        }
        largest = number
    }

    private static func index(of number: UInt64) -> Int {
        Int(number / 64 % wordCount)
    }

    private static func mask(of number: UInt64) -> UInt64 {
        1 << (number % 64)
    }
}
