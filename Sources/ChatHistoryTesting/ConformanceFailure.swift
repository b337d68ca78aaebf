/// A rule of `MessageStore` that a store violates.
public struct ConformanceFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The violated rule.
    public let check: StoreCheck
    /// The expected and the actual result.
    public let detail: String

    /// The rule, with the expected and the actual result.
    public var description: String { "\(check): \(detail)" }
}
