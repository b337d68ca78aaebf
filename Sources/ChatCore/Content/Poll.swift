/// A question with options, as its author asked it.
public struct Poll: Hashable, Codable, Sendable {
    /// The question.
    ///
    /// Units: at most 1,024 bytes of UTF-8.
    public let question: String
    /// The options to choose from.
    ///
    /// Shape: 2 to 12, each at most 256 bytes of UTF-8.
    public let options: [String]
    /// Whether a member may choose several options.
    public let allowsSeveral: Bool
    /// Whether a member may change the choice.
    public let allowsChange: Bool

    /// Makes a poll.
    public init(_ question: String, options: [String], allowsSeveral: Bool = false, allowsChange: Bool = true) {
        self.question = question
        self.options = options
        self.allowsSeveral = allowsSeveral
        self.allowsChange = allowsChange
    }

    /// Whether it satisfies all limits.
    var isValid: Bool {
        let questionBytes = question.utf8.count
        return (1...ContentLimits.questionByteCount).contains(questionBytes)
            && ContentLimits.optionCounts.contains(options.count)
            && options.allSatisfy { (1...ContentLimits.optionByteCount).contains($0.utf8.count) }
    }

    /// Refuses a poll that exceeds the limits.
    func check() throws {
        guard !isValid else { return }
        let counts = ContentLimits.optionCounts
        guard counts.contains(options.count) else {
            var error = ChatError(.tooLarge, "A poll has \(counts.lowerBound) to \(counts.upperBound) options.")
            error.limit = counts.upperBound
            throw error
        }
        if question.isEmpty || options.contains("") {
            throw ChatError(.empty, "The question and each option of a poll need a text.")
        }
        let limits = (ContentLimits.questionByteCount, ContentLimits.optionByteCount)
        throw ChatError(.tooLarge, "The question holds at most \(limits.0) bytes, an option \(limits.1).")
    }

    /// Returns the reason why this poll does not accept a choice; nil if it does.
    ///
    /// - Parameter choice: Bit n is option n.
    func refusal(of choice: UInt32) -> ChangeRefusal? {
        if options.count < UInt32.bitWidth, choice >> UInt32(options.count) != 0 { return .noSuchOption }
        return !allowsSeveral && choice.nonzeroBitCount > 1 ? .tooManyOptions : nil
    }
}
