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
        return advanced(nanoseconds: UInt64(delta))
    }

    /// The instant so many nanoseconds later, stopping at the end of the clock.
    func advanced(nanoseconds delta: UInt64) -> MeshInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        return overflow ? .distantFuture : MeshInstant(nanoseconds: sum)
    }

    /// How long it is from this instant to `other`; negative if that is earlier.
    public func duration(to other: MeshInstant) -> Duration {
        other.nanoseconds >= nanoseconds
            ? Duration(wholeNanoseconds: Int64(clamping: other.nanoseconds - nanoseconds))
            : Duration(wholeNanoseconds: -Int64(clamping: nanoseconds - other.nanoseconds))
    }

    /// Orders by value, so that iteration can be made repeatable.
    public static func < (left: MeshInstant, right: MeshInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

// The standard library's own conversions of durations divide 128-bit numbers, and links need several for each packet.
extension Duration {
    private static let attosecondsPerNanosecond: Int64 = 1_000_000_000

    /// A duration of so many nanoseconds.
    package init(wholeNanoseconds nanoseconds: Int64) {
        self.init(attoseconds: Int128(nanoseconds) &* Int128(Self.attosecondsPerNanosecond))
    }

    /// The duration in nanoseconds, saturated to what fits (292 years).
    package var wholeNanoseconds: Int64 {
        let total = attoseconds
        let short = Int64(truncatingIfNeeded: total)
        guard Int128(short) == total else { return Int64(clamping: total / Int128(Self.attosecondsPerNanosecond)) }
        return short / Self.attosecondsPerNanosecond
    }
}
