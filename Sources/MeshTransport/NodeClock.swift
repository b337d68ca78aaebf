package import MeshCore

/// The clock that a node hands to its engine: it runs on while the machine sleeps, and nobody can set it.
package struct NodeClock: Sendable {
    private let origin = ContinuousClock.now

    /// Starts at zero.
    package init() {}

    /// The time since the clock was made.
    package var now: MeshInstant {
        MeshInstant.zero.advanced(by: origin.duration(to: .now))
    }
}
