package import ChatCrypto

/// What this node's user sends besides texts, and does to messages.
extension ChatEngine {
    // MARK: - Messages

    /// Asks a question with options.
    package mutating func ask(
        _ poll: Poll,
        _ options: MessageOptions = MessageOptions(),
        to peer: PeerID
    ) throws -> Message {
        guard poll.isValid else { throw Self.refusal(of: poll) }
        try checkWriting(to: peer)
        let context = try context(options, naming: nil, in: .direct(peer))
        return try post(.poll(poll), context, to: peer)
    }

    /// Asks the members of a group a question with options.
    package mutating func ask(
        _ poll: Poll,
        _ options: MessageOptions = MessageOptions(),
        to group: GroupID
    ) throws -> Message {
        guard poll.isValid else { throw Self.refusal(of: poll) }
        try checkWriting(to: group)
        let context = try context(options, naming: nil, in: conversationID(of: group))
        return try post(.poll(poll), context, to: group)
    }

    private static func refusal(of poll: Poll) -> ChatError {
        guard ContentLimits.optionCounts.contains(poll.options.count) else {
            let counts = ContentLimits.optionCounts
            var error = ChatError(.tooLarge, "A poll has \(counts.lowerBound) to \(counts.upperBound) options.")
            error.limit = counts.upperBound
            return error
        }
        if poll.question.isEmpty || poll.options.contains("") {
            return ChatError(.empty, "The question and each option of a poll have a text.")
        }
        let limits = (ContentLimits.questionByteCount, ContentLimits.optionByteCount)
        return ChatError(.tooLarge, "The question holds at most \(limits.0) bytes, an option \(limits.1).")
    }

    /// Sets after how long new messages of a conversation go; zero for never.
    package mutating func setTimer(
        _ duration: Duration,
        of conversation: ConversationID
    ) throws -> Message {
        let seconds = try Self.seconds(duration)
        try checkWriting(to: conversation)
        let body = MessageContent.Body.timer(seconds, number: timer(of: conversation).nextNumber)
        switch conversation {
        case .direct(let peer): return try post(body, MessageContext(), to: peer)
        case .group(let group), .room(let group): return try post(body, MessageContext(), to: group)
        }
    }

    /// Whole seconds, at least one but for zero.
    private static func seconds(_ duration: Duration) throws -> UInt32 {
        let (seconds, rest) = duration.components
        let whole = rest > 0 ? seconds + 1 : seconds
        guard (0...Int64(ContentLimits.timerSeconds)).contains(whole) else {
            var error = ChatError(.tooLarge, "Messages go after a second to 365 days.")
            error.limit = Int(ContentLimits.timerSeconds)
            throw error
        }
        return UInt32(whole)
    }

    /// What a message says besides itself.
    ///
    /// - Parameter text: What may name somebody; nil where nothing may.
    func context(
        _ options: MessageOptions,
        naming text: String?,
        in conversation: ConversationID
    ) throws -> MessageContext {
        if let original = options.replyTo { _ = try place(of: original, in: conversation) }
        let members =
            switch conversation {
            case .direct(let peer): [peer, ownID]
            case .group(let group), .room(let group): groups.membership(group)?.log.members.map(\.identity.id) ?? []
            }
        guard options.mentions.allSatisfy(members.contains) else {
            throw ChatError(.notFound, "Only members of the conversation can be mentioned.")
        }
        let names = members.map { (peer: $0, name: name(of: $0, in: conversation)) }
        return MessageContext(
            replyTo: options.replyTo,
            mentions: text.map { Mention.find(in: $0, names: names, chosen: options.mentions) } ?? [],
            seconds: try options.expiresAfter.map(Self.seconds) ?? timer(of: conversation).seconds
        )
    }

    // MARK: - Changes

    /// Puts an emoji on a message or takes it away.
    ///
    /// - Parameter isOn: Nil for the opposite of how it is.
    package mutating func react(
        _ emoji: String,
        to message: MessageID,
        isOn: Bool? = nil
    ) throws {
        guard Emoji.isSingle(emoji) else { throw ChatError(.notEmoji, "A reaction is one emoji.") }
        let record = try present(message)
        let reactions = record.shownChanges.reactions
        let has = reactions.has(emoji, by: ownID)
        guard isOn != has else { return }
        guard let number = reactions.nextNumber(of: ownID) else { throw Self.usedUp }
        try publish(.react(emoji, isOn: !has, number: number), of: record)
    }

    /// Puts another text in place of an own one.
    package mutating func edit(
        _ message: MessageID,
        to text: String
    ) throws {
        let record = try present(message)
        guard record.outgoing else { throw ChatError(.notAuthor, "Only who wrote a message can edit it.") }
        try checkAuthor(of: record)
        guard let conversation = record.conversationID,
            case .text = MessageContent.decode([UInt8](record.content))?.body
        else { throw ChatError(.notFound, "Only a text can be edited.") }
        guard !text.isEmpty else { throw ChatError(.empty, "There is no text; 'delete' takes a message back.") }
        guard text.utf8.count <= ChatLimits.textByteCount else {
            var error = ChatError(.tooLarge, "An edited text holds at most \(ChatLimits.textByteCount) bytes.")
            error.limit = ChatLimits.textByteCount
            throw error
        }
        let history = record.shownChanges.edits
        guard history.edits.count < ContentLimits.editCount, let number = history.nextNumber else { throw Self.usedUp }
        let mentions = try context(MessageOptions(), naming: text, in: conversation).mentions
        try publish(.edit(text, mentions: mentions, number: number), of: record)
    }

    /// Deletes a message: an own one for everyone, or any one here alone.
    package mutating func delete(
        _ message: MessageID,
        forEveryone: Bool
    ) throws {
        guard forEveryone else {
            guard try self.message(message) != nil else { throw Self.noSuchMessage }
            return try remove(message, .hidden)
        }
        let record = try present(message)
        guard record.outgoing else {
            throw ChatError(.notAuthor, "Only who wrote a message can delete it for everyone.")
        }
        try checkAuthor(of: record)
        try publish(.delete, of: record)
        guard let entry = outbox[message] else { return }
        guard entry.envelope == nil else { return try forgetContent(of: message) }
        // What has not been sealed yet has never left, and need not.
        outbox.remove(message)
        step.delete(.outbox, message.bytes)
    }

    /// Refuses what others would ignore: they take a change from a message's author alone, who was another identity.
    private func checkAuthor(of record: ProtoMessageRecord) throws {
        guard record.sender.elementsEqual(ownID.bytes) else {
            throw ChatError(.notAuthor, "You sent it under an earlier identity: it can be changed no more.")
        }
    }

    /// Leaves of a message on its way the envelope alone, which nobody here can open.
    private mutating func forgetContent(
        of message: MessageID
    ) throws {
        guard var record = try step.message(.outbox, message.bytes, as: ProtoOutboxRecord.self) else { return }
        record.content.removeAll()
        step.erase(.outbox, message.bytes, conversation: nil, sequence: 0, leaving: record)
    }

    /// Votes in a poll: the options by their places from 0; none takes the vote back.
    package mutating func vote(
        _ options: [Int],
        in poll: MessageID
    ) throws {
        let (record, asked) = try presentPoll(poll)
        guard options.allSatisfy(asked.options.indices.contains) else {
            throw ChatError(.noSuchOption, "The poll has the options 1 to \(asked.options.count).")
        }
        let choice = options.reduce(0 as UInt32) { $0 | 1 << UInt32($1) }
        guard asked.refusal(of: choice) == nil else {
            throw ChatError(.noSuchOption, "This poll lets everybody choose one option alone.")
        }
        let ballots = record.shownChanges.ballots
        guard ballots.close == nil else { throw ChatError(.closed, "The poll is closed.") }
        let own = ballots.counted(of: ownID, in: asked)
        guard own?.choice != choice else { return }
        guard own == nil || asked.allowsChange else {
            throw ChatError(.closed, "You have voted, and this poll lets nobody choose anew.")
        }
        guard let number = ballots.nextNumber(of: ownID) else { throw Self.usedUp }
        try publish(.vote(choice, number: number), of: record)
    }

    /// Ends an own poll: what counts is what has come by now.
    package mutating func closePoll(_ poll: MessageID) throws {
        let (record, asked) = try presentPoll(poll)
        guard record.outgoing else { throw ChatError(.notAuthor, "Only who asked can close a poll.") }
        try checkAuthor(of: record)
        let ballots = record.shownChanges.ballots
        guard ballots.close == nil else { return }
        let votes = ballots.byMember.keys.sorted().compactMap { ballots.counted(of: $0, in: asked)?.revision.id }
        try publish(.close(counting: votes.sorted()), of: record)
    }

    private static var usedUp: ChatError {
        ChatError(.limited, "You have changed this message as often as it can be.")
    }

    /// A message that is here and shown.
    private func present(_ message: MessageID) throws -> ProtoMessageRecord {
        guard let record = try step.message(.messages, message.bytes, as: ProtoMessageRecord.self),
            record.gone == 0, try self.message(from: record) != nil
        else { throw ChatError(.notFound, "There is no message with this id.") }
        return record
    }

    private func presentPoll(
        _ message: MessageID
    ) throws -> (record: ProtoMessageRecord, poll: Poll) {
        let record = try present(message)
        guard case .poll(let poll) = MessageContent.decode([UInt8](record.content))?.body else {
            throw ChatError(.notFound, "This message is no poll.")
        }
        return (record, poll)
    }

    /// Makes a change here, and sends it to the other members.
    private mutating func publish(
        _ change: MessageChange,
        of record: ProtoMessageRecord
    ) throws {
        guard let target = MessageID(bytes: record.id), let conversation = record.conversationID else { return }
        let content = MessageContent.change(of: target, change, salt: randomBytes(16), at: step.time)
        switch conversation {
        case .direct(let peer):
            try checkWriting(to: peer)
            if trust.state(of: peer) == .unknown { try decide(.accept, about: peer) }
            let id = MessageContent.id(of: content, from: ownID, to: peer)
            let operation = ChangeOperation(
                id: id,
                author: ownID,
                target: target,
                sentAt: step.time.wall,
                change
            )
            try take(operation, from: content, in: conversation)
            queue(id, content, to: peer)
            try sealWaiting(for: peer)
        case .group(let group), .room(let group):
            try checkWriting(to: group)
            let body = MessageContent.Body.change(of: target, change)
            let decoded = MessageContent.Decoded(body, sentAt: step.time.wall, order: 0)
            let id = try post(content, saying: decoded, to: group).id
            let operation = ChangeOperation(
                id: id,
                author: ownID,
                target: target,
                sentAt: step.time.wall,
                change
            )
            try take(operation, from: content, in: conversation)
        }
    }
}
