package import MeshCore

/// The two clocks of one moment: the wall's, which may lie, and the monotonic one that timers go by.
package struct ChatTime: Hashable, Sendable {
    /// Units: milliseconds since 1970.
    package let wall: UInt64
    /// Since the node was made.
    package let monotonic: MeshInstant

    /// Makes a moment.
    package init(wall: UInt64, monotonic: MeshInstant) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// The wall clock's moment.
    package var timestamp: Timestamp { Timestamp(clamping: wall) }
    /// Units: seconds since 1970.
    package var seconds: UInt32 { UInt32(clamping: wall / 1_000) }
    /// Units: hours since 1970.
    package var hours: UInt32 { UInt32(clamping: wall / 3_600_000) }
}
