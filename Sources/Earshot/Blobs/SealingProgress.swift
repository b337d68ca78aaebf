import Synchronization

/// The progress of sealing all files of a message.
///
/// It reports ascending fractions, at most a hundred, and ends with 1.
struct SealingProgress: Sendable {
    /// The parts of the files in the whole.
    private let parts: [Double]
    private let reporter: Reporter?

    /// Begins with nothing sealed.
    ///
    /// - Parameters:
    ///   - byteCounts: The sizes of the files before they are cleaned.
    ///   - report: The closure that gets the fractions; nil if nobody asks for them.
    init(of byteCounts: [UInt64], report: (@Sendable (Double) -> Void)?) {
        let whole = byteCounts.map { Double($0) }.reduce(0, +)
        parts = byteCounts.map { whole > 0 ? Double($0) / whole : 0 }
        reporter = report.map(Reporter.init)
    }

    /// Returns the closure that takes the fractions of one file; nil if nobody asks for them.
    func ofFile(at index: Int) -> (@Sendable (Double) -> Void)? {
        guard let reporter else { return nil }
        let (start, part) = (parts[..<index].reduce(0, +), parts[index])
        return { fraction in reporter.reach(start + part * fraction) }
    }

    /// Reports the end.
    func finish() { reporter?.report(1) }

    /// The closure of the caller, with the last fraction that it got.
    private final class Reporter: Sendable {
        let report: @Sendable (Double) -> Void
        private let percent = Mutex(0)

        init(_ report: @escaping @Sendable (Double) -> Void) { self.report = report }

        /// Reports each percent once; the whole is left to `finish()`.
        func reach(_ fraction: Double) {
            let reached = Int(fraction * 100)
            let isNew = percent.withLock { percent in
                guard reached > percent, reached < 100 else { return false }
                percent = reached
                return true
            }
            if isNew { report(Double(reached) / 100) }
        }
    }
}
