/// The bytes of a message that have arrived: sorted, disjoint ranges that never touch.
struct ByteRanges {
    private(set) var ranges: [Range<Int>] = []

    /// Adds a range and merges it with those that it touches.
    mutating func insert(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let start = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
        var merged = range
        var end = start
        while end < ranges.endIndex, ranges[end].lowerBound <= range.upperBound {
            merged = min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(merged))
    }

    /// Returns whether every byte of the range is present.
    func contains(_ range: Range<Int>) -> Bool {
        ranges.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
    }
}
