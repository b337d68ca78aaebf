/// The limits of one client, and of the node for its clients.
package enum RPCLimits {
    /// Units: bytes of one line, without its line feed.
    package static let lineByteCount = 1 << 20
    /// Requests in one batch.
    package static let batchCount = 256
    /// Clients connected at one time; one more gets `limited` and is disconnected.
    package static let clientCount = 64
    /// Requests of one client that wait for peers beside others; one more is answered in order.
    package static let waitingCount = 64
    /// Messages in one page of history.
    package static let historyPageCount = 1_000
    /// Messages in a page of history without a requested limit.
    package static let historyPageDefault = 50
    /// Events that a client of this library holds for its own program before it reports `lagged`.
    package static let clientEventCount = 1_024
}
