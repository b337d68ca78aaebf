/// The distribution of a set of times.
struct Spread: Codable, Sendable {
    let count: Int
    /// Units: milliseconds.
    let p50: Double
    /// Units: milliseconds.
    let p99: Double
    /// Units: milliseconds.
    let max: Double

    /// Computes the spread of at least one time.
    init(_ times: [Duration]) {
        let sorted = times.sorted()
        func rank(_ part: Double) -> Double {
            guard !sorted.isEmpty else { return 0 }
            let place = (part * Double(sorted.count)).rounded(.up) - 1
            return sorted[Int(min(Double(sorted.count - 1), Swift.max(0, place)))].milliseconds
        }
        count = sorted.count
        p50 = rank(0.5)
        p99 = rank(0.99)
        max = rank(1)
    }
}
