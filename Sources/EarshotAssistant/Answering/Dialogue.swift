import Earshot

/// Who asks, and where: what one has asked in one conversation is never seen in another.
struct Asker: Hashable, Sendable {
    let peer: PeerID
    let conversation: ConversationID
}

/// What was said between one asker and the model, within a budget of tokens.
///
/// Invariant: what it holds fits the budget it was last given.
struct Dialogue: Sendable {
    private struct Turn {
        let id: MessageID
        let question: PromptMessage
        let answer: PromptMessage

        var tokenCount: Int { question.tokenCount + answer.tokenCount }
    }

    private var turns: [Turn] = []

    /// What the model is to be given for a question, with as many whole turns before it as fit the budget, the newest.
    ///
    /// - Returns: Nil where the question alone does not fit.
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

    /// Keeps a question without its pictures, with what was answered, and of the turns before it those that a prompt can still have.
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

    /// Forgets a question that is gone, with what was answered.
    mutating func remove(_ id: MessageID) { turns.removeAll { $0.id == id } }
}
