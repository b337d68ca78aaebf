import MeshCore

/// The assignment of times to colours.
///
/// Each step has about the same number of hosts, and its bound is rounded to be easy to read.
struct PictureScale: Sendable, Equatable {
    /// The upper bound of each step, ascending.
    let bounds: [Duration]

    /// The largest number of colours.
    static let stepLimit = 8

    init(_ times: [Duration]) {
        let sorted = times.sorted()
        var bounds: [Duration] = []
        for step in 1...Self.stepLimit where !sorted.isEmpty {
            let time = sorted[max(0, sorted.count * step / Self.stepLimit - 1)]
            let bound = Self.roundedUp(time)
            if bounds.last.map({ $0 < bound }) ?? true { bounds.append(bound) }
        }
        self.bounds = bounds
    }

    /// Returns the colour of a time: 0 for the earliest, ``stepLimit`` - 1 for the latest.
    ///
    /// If there are few steps, their colours are far apart.
    func colour(of time: Duration) -> Int {
        colour(ofStep: bounds.firstIndex { time <= $0 } ?? max(0, bounds.count - 1))
    }

    func colour(ofStep step: Int) -> Int {
        bounds.count < 2 ? 0 : step * (Self.stepLimit - 1) / (bounds.count - 1)
    }

    /// Rounds a time up to two significant digits, with a unit of at least a tenth of a millisecond.
    private static func roundedUp(_ time: Duration) -> Duration {
        var unit: Int64 = 100_000
        while time.wholeNanoseconds / unit >= 100 { unit *= 10 }
        return .nanoseconds((time.wholeNanoseconds + unit - 1) / unit * unit)
    }
}
