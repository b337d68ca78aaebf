extension GroupSession {
    /// The time at which this node applied the last operation.
    ///
    /// Units: seconds since 1970 by the local clock; 0 if that is not known.
    public var lastOperationAppliedAt: UInt32 { log.kept.last?.appliedAt ?? 0 }

    /// Lists the operations that this node applied after a time and up to another.
    ///
    /// - Parameters:
    ///   - start: seconds since 1970 by the local clock.
    ///   - end: seconds since 1970 by the local clock.
    public func operations(appliedAfter start: UInt32, until end: UInt32) -> [GroupOperation] {
        log.kept.filter { $0.appliedAt > start && $0.appliedAt <= end }.map(\.operation)
    }
}
