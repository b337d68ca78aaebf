/// Limits of one client, and of the node for it.
package enum RPCLimits {
    /// Units: bytes of one line, without its line feed.
    package static let lineByteCount = 1 << 20
    /// Requests in one batch.
    package static let batchCount = 256
    /// Clients connected at one time; the next is told `limited` and let go.
    package static let clientCount = 64
    /// Requests of one client that wait for peers beside others; one more is answered in its turn.
    package static let waitingCount = 64
    /// Messages in one page of history.
    package static let historyPageCount = 1_000
    /// Messages in a page of history that names no limit.
    package static let historyPageDefault = 50
    /// Events a client of this library holds for its own program before it says `lagged`.
    package static let clientEventCount = 1_024
}
