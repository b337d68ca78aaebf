/// A point in time on the monotonic clock of one node, handed in by the shell.
///
/// The clock goes on while the machine sleeps and has no relation to the wall clock.
public struct MeshInstant: InstantProtocol, Sendable {
    /// Units: nanoseconds since an arbitrary zero.
    public var nanoseconds: UInt64

    /// The start of the clock.
    public static let zero = MeshInstant(nanoseconds: 0)

    /// An instant that never comes.
    public static let distantFuture = MeshInstant(nanoseconds: .max)

    /// Makes an instant from its distance to the clock's zero.
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant `duration` later (or earlier, if negative), stopping at either end of the clock.
    public func advanced(by duration: Duration) -> MeshInstant {
        let delta = duration.wholeNanoseconds
        guard delta >= 0 else {
            let magnitude = delta.magnitude
            return MeshInstant(nanoseconds: magnitude > nanoseconds ? 0 : nanoseconds - magnitude)
        }
        let (sum, overflow) = nanoseconds.addingReportingOverflow(UInt64(delta))
        return overflow ? .distantFuture : MeshInstant(nanoseconds: sum)
    }

    /// How long it is from this instant to `other`; negative if that is earlier.
    public func duration(to other: MeshInstant) -> Duration {
        other.nanoseconds >= nanoseconds
            ? .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds))
            : .nanoseconds(-Int64(clamping: nanoseconds - other.nanoseconds))
    }

    /// Orders by value, so that iteration can be made repeatable.
    public static func < (left: MeshInstant, right: MeshInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, saturated to what fits (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !sumOverflow else { return seconds < 0 ? .min : .max }
        return sum
    }
}
