/// Which bytes of a message are there: sorted, disjoint, never touching ranges.
struct ByteRanges {
    private(set) var ranges: [Range<Int>] = []

    /// Adds a range, merging it with those it touches.
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

    /// Whether every byte of the range is there.
    func contains(_ range: Range<Int>) -> Bool {
        ranges.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
    }
}
