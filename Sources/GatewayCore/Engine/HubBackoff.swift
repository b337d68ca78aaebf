import MeshCore

/// A wait that doubles with each failure.
struct HubBackoff: Sendable {
    private let first: Duration
    private let longest: Duration
    private var wait: Duration

    init(from first: Duration, to longest: Duration) {
        self.first = first
        self.longest = longest
        wait = first
    }

    /// Returns the next wait.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, longest) }
        return wait
    }

    /// Begins with the first wait again.
    mutating func reset() { wait = first }
}
