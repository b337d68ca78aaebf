package import MeshCore

/// The two clocks of one moment: the wall clock, which may be wrong, and the monotonic clock, which timers use.
package struct ChatTime: Hashable, Sendable {
    /// The time of the wall clock.
    ///
    /// Units: milliseconds since 1970.
    package let wall: UInt64
    /// The time since the node was made.
    package let monotonic: MeshInstant

    /// Makes a moment.
    package init(wall: UInt64, monotonic: MeshInstant) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// The time of the wall clock as a timestamp.
    package var timestamp: Timestamp { Timestamp(clamping: wall) }
    /// The time of the wall clock.
    ///
    /// Units: seconds since 1970.
    package var seconds: UInt32 { UInt32(clamping: wall / 1_000) }
    /// The time of the wall clock.
    ///
    /// Units: hours since 1970.
    package var hours: UInt32 { UInt32(clamping: wall / 3_600_000) }
}
