import Earshot

/// A peer that asks, in one conversation: questions of one conversation are never seen in another.
struct Asker: Hashable, Sendable {
    let peer: PeerID
    let conversation: ConversationID
}

/// The questions and answers of one asker, within a budget of tokens.
///
/// Invariant: the content fits the budget of the last call of ``add(_:_:_:within:)``.
struct Dialogue: Sendable {
    private struct Turn {
        let id: MessageID
        let question: PromptMessage
        let answer: PromptMessage

        var tokenCount: Int { question.tokenCount + answer.tokenCount }
    }

    private var turns: [Turn] = []

    /// Builds the prompt for a question, with as many of the newest whole turns as fit the budget.
    ///
    /// - Returns: Nil if the question alone does not fit.
    func prompt(
        _ question: String,
        _ pictures: [Picture] = [],
        after instruction: String?,
        within tokenCount: Int
    ) -> [PromptMessage]? {
        let asked = PromptMessage(.user, question, pictures)
        let system = instruction.map { [PromptMessage(.system, $0)] } ?? []
        var left = tokenCount - asked.tokenCount - system.reduce(0) { $0 + $1.tokenCount }
        guard left >= 0 else { return nil }
        var kept: [PromptMessage] = []
        for turn in turns.reversed() {
            left -= turn.tokenCount
            guard left >= 0 else { break }
            kept = [turn.question, turn.answer] + kept
        }
        return system + kept + [asked]
    }

    /// Keeps a question without its pictures, with its answer, and the earlier turns that still fit a prompt.
    mutating func add(_ id: MessageID, _ question: String, _ answer: String, within tokenCount: Int) {
        let turn = Turn(id: id, question: PromptMessage(.user, question), answer: PromptMessage(.assistant, answer))
        var left = tokenCount - turn.tokenCount
        var kept: [Turn] = left >= 0 ? [turn] : []
        for earlier in turns.reversed() {
            left -= earlier.tokenCount
            guard left >= 0 else { break }
            kept.append(earlier)
        }
        turns = kept.reversed()
    }

    /// Forgets a removed question with its answer.
    mutating func remove(_ id: MessageID) { turns.removeAll { $0.id == id } }
}
