import MeshCore

/// The number of parts of a blob that may be requested and not have arrived.
///
/// It doubles each round trip until the round trip shows a queue, then grows by one part each. It shrinks to 0.7 of its
/// size when a part is late or arrives late, at most once a round trip. Source: PROTOCOL §5.4.
struct PullWindow {
    /// The number of parts at the start.
    static let initialCount = 8.0
    /// The greatest number of parts: 4 MiB.
    static let maximumCount = 128.0
    /// The time above twice the shortest round trip that a round trip may take before the window shrinks.
    static let tolerance = Duration.milliseconds(20)
    /// The least time after which a part is given up.
    static let minimumTimeout = Duration.milliseconds(500)

    private var size = initialCount
    private var isDoubling = true
    private var shortest: Duration?
    private var smoothed = Duration.zero
    private var nextDecrease = MeshInstant.zero

    /// The number of parts that may be in transit.
    var count: Int { Int(size) }

    /// Computes the time at which a part requested at `instant` is given up: soon if later ones have arrived, because a
    /// path mostly keeps the order, and a relay has then dropped the part.
    func deadline(for instant: MeshInstant, isOvertaken: Bool = false) -> MeshInstant {
        let patience = isOvertaken ? smoothed * 3 / 2 + Self.tolerance : max(smoothed * 3, Self.minimumTimeout)
        return instant.advanced(by: patience)
    }

    /// Notes the arrival of a part that was requested at `start`.
    mutating func arrived(askedAt start: MeshInstant, now: MeshInstant) {
        let sample = start.duration(to: now)
        smoothed = shortest == nil ? sample : (smoothed * 7 + sample) / 8
        let best = min(shortest ?? sample, sample)
        shortest = best
        if sample >= best * 2 + Self.tolerance {
            decrease(now: now)
        } else {
            size = min(Self.maximumCount, size + (isDoubling ? 1 : 1 / size))
        }
    }

    /// Notes that a part has not arrived in time.
    mutating func late(now: MeshInstant) { decrease(now: now) }

    private mutating func decrease(now: MeshInstant) {
        isDoubling = false
        guard nextDecrease <= now else { return }
        size = max(1, size * 0.7)
        nextDecrease = now.advanced(by: smoothed)
    }
}
