import MeshCore

/// Which times share a colour: about as many hosts in each, up to bounds that are easy to read.
struct PictureScale: Sendable, Equatable {
    /// The last time of each step, ascending.
    let bounds: [Duration]

    /// How many colours there are at most.
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

    /// The colour of a time: 0 for the earliest, ``stepLimit`` - 1 for the latest; few steps lie far apart.
    func colour(of time: Duration) -> Int {
        colour(ofStep: bounds.firstIndex { time <= $0 } ?? max(0, bounds.count - 1))
    }

    func colour(ofStep step: Int) -> Int {
        bounds.count < 2 ? 0 : step * (Self.stepLimit - 1) / (bounds.count - 1)
    }

    /// Two digits that count, of a tenth of a millisecond at least.
    private static func roundedUp(_ time: Duration) -> Duration {
        var unit: Int64 = 100_000
        while time.wholeNanoseconds / unit >= 100 { unit *= 10 }
        return .nanoseconds((time.wholeNanoseconds + unit - 1) / unit * unit)
    }
}
