import NIOCore

/// The limits of the metrics server.
enum MetricsLimits {
    /// Connections at one time; one more is closed at once.
    static let connectionCount = 8
    /// Units: bytes of one request; a longer one gets no answer.
    static let requestByteCount = 8_192
    /// The longest time of a connection, from its start to its end.
    static let connectionTime = TimeAmount.seconds(10)
}
