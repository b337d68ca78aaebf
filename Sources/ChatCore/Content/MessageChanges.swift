import ChatCrypto

/// All changes of one message after it was sent.
///
/// They are a value of their own, apart from the message. Every part only ever takes the greater of two versions, so
/// any order, repetition and delay of the same changes gives the same state. A deletion replaces everything else.
/// Source: PROTOCOL §10 changes.
package struct MessageChanges: Hashable, Sendable {
    package private(set) var isDeleted = false
    package private(set) var edits = EditHistory()
    package private(set) var reactions = ReactionSet()
    package private(set) var ballots = Ballots()

    package init() {}

    package init(edits: EditHistory, reactions: ReactionSet, ballots: Ballots) {
        self.edits = edits
        self.reactions = reactions
        self.ballots = ballots
    }

    /// Whether the message is unchanged.
    package var isEmpty: Bool { self == MessageChanges() }

    /// Applies a change of a message, or returns the reason why it is ignored.
    ///
    /// - Parameter isMember: Whether the author belongs to the conversation.
    /// - Returns: Nil if it applies, or if the message is deleted anyway.
    package mutating func apply(
        _ operation: ChangeOperation,
        to target: ChangeTarget,
        isMember: Bool = true
    ) -> ChangeRefusal? {
        guard isMember else { return .notMember }
        guard !isDeleted else { return nil }
        let author = operation.author
        switch operation.change {
        case .react(let emoji, let isOn, let number):
            reactions.insert(.init(emoji, isOn: isOn, Revision(number, operation.id)), by: author)
        case .edit(let text, let mentions, let number):
            guard author == target.author else { return .notAuthor }
            guard target.kind == .text else { return .notText }
            let revision = Revision(number, operation.id)
            edits.insert(.init(text, mentions: mentions, sentAt: operation.sentAt, revision))
        case .delete:
            guard author == target.author else { return .notAuthor }
            self = MessageChanges()
            isDeleted = true
        case .vote(let choice, let number):
            guard case .poll(let poll) = target.kind else { return .notPoll }
            if let refusal = poll.refusal(of: choice) { return refusal }
            ballots.insert(.init(choice, Revision(number, operation.id)), by: author)
            return ballots.isLate(operation.id) ? .lateVote : nil
        case .close(let counted):
            guard case .poll = target.kind else { return .notPoll }
            guard author == target.author else { return .notAuthor }
            ballots.end(.init(operation.id, counting: Set(counted)))
        }
        return nil
    }

    /// Adds everything of another state of the same message.
    package mutating func merge(_ other: MessageChanges) {
        guard !isDeleted else { return }
        guard !other.isDeleted else {
            self = other
            return
        }
        edits.merge(other.edits)
        reactions.merge(other.reactions)
        ballots.merge(other.ballots)
    }
}
