import NIOCore

/// What one program may ask of a node's metrics.
enum MetricsLimits {
    /// Connections at one time; the next is closed at once.
    static let connectionCount = 8
    /// Units: bytes of one request; a longer one is not answered.
    static let requestByteCount = 8_192
    /// How long a connection may take from its first byte to its last.
    static let connectionTime = TimeAmount.seconds(10)
}
