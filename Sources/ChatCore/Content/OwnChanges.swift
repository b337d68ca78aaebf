import ChatCrypto

/// The changes that this node's user may make to a message, by the rules that all members enforce.
///
/// A function returns nil if nothing would change. Source: PROTOCOL §10 changes.
struct OwnChanges {
    /// The user's present identity.
    let author: PeerID
    /// The message, which is here and shown.
    let record: ProtoMessageRecord

    /// Makes a reaction, or its removal.
    ///
    /// - Parameter isOn: Nil for the opposite of the present state.
    func react(_ emoji: String, isOn: Bool?) throws -> MessageChange? {
        let reactions = record.shownChanges.reactions
        let has = reactions.has(emoji, by: author)
        guard isOn != has else { return nil }
        guard let number = reactions.nextNumber(of: author) else { throw Self.usedUp }
        return .react(emoji, isOn: !has, number: number)
    }

    /// Makes an edit that replaces an own text.
    ///
    /// - Parameter mentions: Finds the mentions in a text that may be sent.
    func edit(to text: String, mentions: () throws -> [Mention]) throws -> MessageChange {
        guard record.outgoing else { throw ChatError(.notAuthor, "Only the author of a message can edit it.") }
        try checkAuthor()
        guard case .text = MessageContent.decode([UInt8](record.content))?.body else {
            throw ChatError(.notFound, "Only a text can be edited.")
        }
        guard !text.isEmpty else {
            throw ChatError(.empty, "The new text is empty. Use 'delete' to delete the message.")
        }
        guard text.utf8.count <= ChatLimits.textByteCount else {
            var error = ChatError(.tooLarge, "An edited text holds at most \(ChatLimits.textByteCount) bytes.")
            error.limit = ChatLimits.textByteCount
            throw error
        }
        let history = record.shownChanges.edits
        guard history.edits.count < ContentLimits.editCount, let number = history.nextNumber else { throw Self.usedUp }
        return .edit(text, mentions: try mentions(), number: number)
    }

    /// Makes the deletion of an own message for everyone.
    func delete() throws -> MessageChange {
        guard record.outgoing else {
            throw ChatError(.notAuthor, "Only the author of a message can delete it for everyone.")
        }
        try checkAuthor()
        return .delete
    }

    /// Makes a vote for options by their indices from 0; an empty list withdraws the vote.
    func vote(_ options: [Int]) throws -> MessageChange? {
        let poll = try poll()
        guard options.allSatisfy(poll.options.indices.contains) else {
            throw ChatError(.noSuchOption, "The poll has the options 1 to \(poll.options.count).")
        }
        let choice = options.reduce(0 as UInt32) { $0 | 1 << UInt32($1) }
        guard poll.refusal(of: choice) == nil else {
            throw ChatError(.noSuchOption, "This poll allows one choice.")
        }
        let ballots = record.shownChanges.ballots
        guard ballots.close == nil else { throw ChatError(.closed, "The poll is closed.") }
        let own = ballots.counted(of: author, in: poll)
        guard own?.choice != choice else { return nil }
        guard own == nil || poll.allowsChange else {
            throw ChatError(.closed, "You have voted, and the votes of this poll are final.")
        }
        guard let number = ballots.nextNumber(of: author) else { throw Self.usedUp }
        return .vote(choice, number: number)
    }

    /// Makes the end of an own poll: the votes that have arrived by now count.
    func close() throws -> MessageChange? {
        let poll = try poll()
        guard record.outgoing else { throw ChatError(.notAuthor, "Only the author of a poll can close it.") }
        try checkAuthor()
        let ballots = record.shownChanges.ballots
        guard ballots.close == nil else { return nil }
        let votes = ballots.byMember.keys.sorted().compactMap { ballots.counted(of: $0, in: poll)?.revision.id }
        return .close(counting: votes.sorted())
    }

    private func poll() throws -> Poll {
        guard case .poll(let poll) = MessageContent.decode([UInt8](record.content))?.body else {
            throw ChatError(.notFound, "This message is not a poll.")
        }
        return poll
    }

    /// Refuses a change that others would ignore: they accept one from a message's author only, and that was another
    /// identity.
    private func checkAuthor() throws {
        guard record.sender.elementsEqual(author.bytes) else {
            throw ChatError(.notAuthor, "You sent this message under an earlier identity. It can no longer be changed.")
        }
    }

    private static var usedUp: ChatError {
        ChatError(.limited, "You have reached the largest number of changes to this message.")
    }
}
