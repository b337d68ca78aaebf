package import ChatCrypto

/// The user's polls and timers, and the user's changes of messages.
extension ChatEngine {
    // MARK: - Messages

    /// Sends a poll.
    package mutating func ask(
        _ poll: Poll,
        _ options: MessageOptions = MessageOptions(),
        to conversation: ConversationID
    ) throws -> Message {
        try poll.check()
        try checkWriting(to: conversation)
        let context = try context(options, naming: nil, in: conversation)
        return try enqueue(.poll(poll), context, to: conversation)
    }

    /// Sets the time after which new messages of a conversation disappear; zero for never.
    package mutating func setTimer(
        _ duration: Duration,
        of conversation: ConversationID
    ) throws -> Message {
        let seconds = try DisappearingTimer.seconds(duration)
        try checkWriting(to: conversation)
        let body = MessageContent.Body.timer(seconds, number: conversations.timer(of: conversation).nextNumber)
        return try enqueue(body, MessageContext(), to: conversation)
    }

    /// Builds the context of a message: the answered message, the mentions, and the timer.
    ///
    /// - Parameter text: The text that may mention members; nil for a message without one.
    func context(
        _ options: MessageOptions,
        naming text: String?,
        in conversation: ConversationID
    ) throws -> MessageContext {
        if let original = options.replyTo { _ = try history(of: conversation).position(of: original) }
        let members =
            switch conversation {
            case .direct(let peer): [peer, ownID]
            case .group(let group), .room(let group): groups.membership(group)?.log.members.map(\.identity.id) ?? []
            }
        guard options.mentions.allSatisfy(members.contains) else {
            throw ChatError(.notFound, "Only members of the conversation can be mentioned.")
        }
        // The text is sent as it is, so it mentions members by their names for themselves: no peer learns the user's.
        let names = members.map { (peer: $0, name: trust[$0]?.nickname?.text ?? name(of: $0, in: conversation)) }
        let seconds = try options.expiresAfter.map(DisappearingTimer.seconds)
        return MessageContext(
            replyTo: options.replyTo,
            mentions: text.map { Mention.find(in: $0, names: names, chosen: options.mentions) } ?? [],
            seconds: seconds ?? conversations.timer(of: conversation).seconds
        )
    }

    // MARK: - Changes

    /// Puts an emoji on a message or removes it.
    ///
    /// - Parameter isOn: Nil for the opposite of the present state.
    package mutating func react(
        _ emoji: String,
        to message: MessageID,
        isOn: Bool? = nil
    ) throws {
        guard Emoji.isSingle(emoji) else { throw ChatError(.notEmoji, "Give exactly one emoji.") }
        let changes = try ownChanges(of: message)
        try publish(changes.react(emoji, isOn: isOn), of: changes.record)
    }

    /// Replaces the text of an own message.
    package mutating func edit(
        _ message: MessageID,
        to text: String
    ) throws {
        let changes = try ownChanges(of: message)
        let edit = try changes.edit(to: text) {
            try changes.record.conversationID.map { try context(MessageOptions(), naming: text, in: $0).mentions } ?? []
        }
        try publish(edit, of: changes.record)
    }

    /// Deletes a message: an own one for everyone, or any one on this node only.
    package mutating func delete(
        _ message: MessageID,
        forEveryone: Bool
    ) throws {
        guard forEveryone else {
            guard try self.message(message) != nil else { throw ChatError.noSuchMessage }
            return try remove(message, .hidden)
        }
        let changes = try ownChanges(of: message)
        try publish(changes.delete(), of: changes.record)
        guard let entry = outbox[message] else { return }
        guard entry.envelope == nil else { return try outbox.forgetContent(of: message, in: step) }
        // A message that is not sealed yet was never sent, and need not be.
        takeOut(message)
    }

    /// Votes in a poll: the options by their indices from 0; an empty list withdraws the vote.
    package mutating func vote(
        _ options: [Int],
        in poll: MessageID
    ) throws {
        let changes = try ownChanges(of: poll)
        try publish(changes.vote(options), of: changes.record)
    }

    /// Ends an own poll: the votes that have arrived by now count.
    package mutating func closePoll(_ poll: MessageID) throws {
        let changes = try ownChanges(of: poll)
        try publish(changes.close(), of: changes.record)
    }

    /// Returns the changes that may be made to a message that is here and shown.
    private func ownChanges(of message: MessageID) throws -> OwnChanges {
        guard let record = try step.message(.messages, message.bytes, as: ProtoMessageRecord.self),
            record.gone == 0, try self.message(from: record) != nil
        else { throw ChatError(.notFound, "There is no message with this id.") }
        return OwnChanges(author: ownID, record: record)
    }

    /// Applies a change here, and sends it to the other members; does nothing for nil.
    private mutating func publish(
        _ change: MessageChange?,
        of record: ProtoMessageRecord
    ) throws {
        guard let change, let target = MessageID(bytes: record.id), let conversation = record.conversationID else {
            return
        }
        let content = MessageContent.change(of: target, change, salt: randomBytes(16), at: step.time)
        let sentAt = step.time.wall
        func operation(_ id: MessageID) -> ChangeOperation {
            ChangeOperation(id: id, author: ownID, target: target, sentAt: sentAt, change)
        }
        try checkWriting(to: conversation)
        guard case .direct(let peer) = conversation else {
            let decoded = MessageContent.Decoded(.change(of: target, change), sentAt: sentAt, order: 0)
            let id = try enqueue(content, saying: decoded, to: conversation).id
            return try take(operation(id), from: content, in: conversation)
        }
        if trust.state(of: peer) == .unknown { try decide(.accept, about: peer) }
        let id = MessageContent.id(of: content, from: ownID, to: peer)
        try take(operation(id), from: content, in: conversation)
        queue(id, content, to: peer)
    }
}
