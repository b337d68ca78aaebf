extension GroupPolicy.History: Comparable, CustomStringConvertible {
    /// Reads `none`, `last:` and a count, or `all`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        switch (words.first, words.count) {
        case ("none", 1): self = .none
        case ("all", 1): self = .all
        case ("last", 2):
            guard let count = UInt16(words[1]), count > 0 else { return nil }
            self = .last(count)
        default: return nil
        }
    }

    /// The text form that ``init(_:)`` reads.
    public var description: String {
        switch self {
        case .none: "none"
        case .last(let count): "last:\(count)"
        case .all: "all"
        }
    }

    /// The number of earlier messages that a new member may get; nil for all.
    public var limit: Int? {
        switch self {
        case .none: 0
        case .last(let count): Int(count)
        case .all: nil
        }
    }

    /// Whether the left value gives new members fewer messages than the right one.
    public static func < (left: Self, right: Self) -> Bool {
        (left.limit ?? .max) < (right.limit ?? .max)
    }
}
