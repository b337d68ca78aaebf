/// The counts of a node's store log; zeros if it keeps none.
struct StoreLogStatistics: Sendable, Equatable {
    /// Units: bytes of the file, when it was last written to.
    var byteCount = 0
    /// Times that the log was rewritten.
    var rewrites = 0
    /// Times that the disk refused a write.
    var failures = 0
}
