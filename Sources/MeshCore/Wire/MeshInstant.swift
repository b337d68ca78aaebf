/// A point in time on the monotonic clock of one node.
///
/// The shell supplies it.
///
/// The clock continues while the machine sleeps and has no relation to the wall clock.
public struct MeshInstant: InstantProtocol, Sendable {
    /// Units: nanoseconds since an arbitrary zero.
    public var nanoseconds: UInt64

    /// The zero of the clock.
    public static let zero = MeshInstant(nanoseconds: 0)

    /// An instant later than any real one.
    public static let distantFuture = MeshInstant(nanoseconds: .max)

    /// Creates an instant from its distance to the clock's zero.
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// Returns the instant `duration` later (or earlier, if negative), clamped to both ends of the clock.
    public func advanced(by duration: Duration) -> MeshInstant {
        let delta = duration.wholeNanoseconds
        guard delta >= 0 else {
            let magnitude = delta.magnitude
            return MeshInstant(nanoseconds: magnitude > nanoseconds ? 0 : nanoseconds - magnitude)
        }
        return advanced(nanoseconds: UInt64(delta))
    }

    /// Returns the instant `delta` nanoseconds later, clamped to the end of the clock.
    func advanced(nanoseconds delta: UInt64) -> MeshInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        return overflow ? .distantFuture : MeshInstant(nanoseconds: sum)
    }

    /// Returns the duration from this instant to `other`; negative if `other` is earlier.
    public func duration(to other: MeshInstant) -> Duration {
        other.nanoseconds >= nanoseconds
            ? Duration(wholeNanoseconds: Int64(clamping: other.nanoseconds - nanoseconds))
            : Duration(wholeNanoseconds: -Int64(clamping: nanoseconds - other.nanoseconds))
    }

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: MeshInstant, right: MeshInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

// The standard library's duration conversions divide 128-bit numbers, and links need several conversions per packet.
extension Duration {
    private static let attosecondsPerNanosecond: Int64 = 1_000_000_000

    /// Creates a duration of this number of nanoseconds.
    package init(wholeNanoseconds nanoseconds: Int64) {
        self.init(attoseconds: Int128(nanoseconds) &* Int128(Self.attosecondsPerNanosecond))
    }

    /// The duration in nanoseconds, clamped to the range of Int64 (292 years).
    package var wholeNanoseconds: Int64 {
        let total = attoseconds
        let short = Int64(truncatingIfNeeded: total)
        guard Int128(short) == total else { return Int64(clamping: total / Int128(Self.attosecondsPerNanosecond)) }
        return short / Self.attosecondsPerNanosecond
    }
}
