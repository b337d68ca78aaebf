/// A rule of `MessageStore` that a store does not keep.
public struct ConformanceFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule.
    public let check: StoreCheck
    /// What was expected, and what came.
    public let detail: String

    /// The rule, and what came instead.
    public var description: String { "\(check): \(detail)" }
}
