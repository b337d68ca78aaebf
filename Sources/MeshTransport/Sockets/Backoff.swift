import MeshCore

/// The wait before failed sockets or streams are opened again.
struct Backoff: Sendable {
    /// The wait after the first failure of sockets.
    static let first = Duration.milliseconds(250)
    /// The longest wait for sockets, up to which each wait is twice the one before; sockets that stayed open as long count as
    /// sound.
    static let longest = Duration.seconds(5)

    private let first: Duration
    private let longest: Duration
    private var next: Duration

    /// Begins with the wait after the first failure.
    init(first: Duration = Self.first, longest: Duration = Self.longest) {
        (self.first, self.longest) = (first, longest)
        next = first
    }

    /// Returns the wait after a failure of sockets that were open for `uptime`; zero if they never were.
    mutating func delay(afterUptime uptime: Duration) -> Duration {
        if uptime >= longest { next = first }
        defer { next = min(next * 2, longest) }
        return next
    }
}
