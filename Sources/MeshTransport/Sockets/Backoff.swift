import MeshCore

/// The wait before failed sockets are opened again.
struct Backoff: Sendable {
    /// The wait after the first failure.
    static let first = Duration.milliseconds(250)
    /// The longest wait, up to which each wait is twice the one before; sockets that stayed open as long count as
    /// sound.
    static let longest = Duration.seconds(5)

    private var next = Self.first

    /// Returns the wait after a failure of sockets that were open for `uptime`; zero if they never were.
    mutating func delay(afterUptime uptime: Duration) -> Duration {
        if uptime >= Self.longest { next = Self.first }
        defer { next = min(next * 2, Self.longest) }
        return next
    }
}
