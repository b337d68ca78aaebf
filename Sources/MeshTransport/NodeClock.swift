import MeshCore

/// The clock that a node hands to its engine: it goes on while the machine sleeps, and nobody can set it.
struct NodeClock: Sendable {
    private let origin = ContinuousClock.now

    var now: MeshInstant {
        MeshInstant.zero.advanced(by: origin.duration(to: .now))
    }
}
