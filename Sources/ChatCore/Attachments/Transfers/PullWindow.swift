import MeshCore

/// How many parts of a blob may be asked for and not have come.
///
/// It doubles each round trip until the round trip shows a queue, then grows by one part each, and shrinks to 0.7 when
/// a part is late or comes late, once a round trip. Source: PROTOCOL §5.4.
struct PullWindow {
    /// Parts at the start.
    static let initialCount = 8.0
    /// Parts at most: 4 MiB.
    static let maximumCount = 128.0
    /// How much longer than twice the shortest a round trip may take before the window shrinks.
    static let tolerance = Duration.milliseconds(20)
    /// The least time after which a part is given up.
    static let minimumTimeout = Duration.milliseconds(500)

    private var size = initialCount
    private var isDoubling = true
    private var shortest: Duration?
    private var smoothed = Duration.zero
    private var nextDecrease = MeshInstant.zero

    /// Parts that may be under way.
    var count: Int { Int(size) }

    /// The time at which a part requested at `instant` is given up: soon if later ones have come, for a way keeps some order, and
    /// a relay has dropped it then.
    func deadline(for instant: MeshInstant, isOvertaken: Bool = false) -> MeshInstant {
        let patience = isOvertaken ? smoothed * 3 / 2 + Self.tolerance : max(smoothed * 3, Self.minimumTimeout)
        return instant.advanced(by: patience)
    }

    /// A part that was asked for at `start` has come.
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

    /// A part has not come in time.
    mutating func late(now: MeshInstant) { decrease(now: now) }

    private mutating func decrease(now: MeshInstant) {
        isDoubling = false
        guard nextDecrease <= now else { return }
        size = max(1, size * 0.7)
        nextDecrease = now.advanced(by: smoothed)
    }
}
