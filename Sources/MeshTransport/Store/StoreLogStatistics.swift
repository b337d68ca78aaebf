/// What a node has counted of the log of its store; zeros where it keeps none.
struct StoreLogStatistics: Sendable, Equatable {
    /// Units: bytes of the file, when it was last written to.
    var byteCount = 0
    /// Times that the log was written anew.
    var rewrites = 0
    /// Times that the disk did not take what was to be written.
    var failures = 0
}
