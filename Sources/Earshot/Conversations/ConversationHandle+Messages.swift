public import ChatCore
public import ChatCrypto
import MeshCore

/// Messages of a conversation.
extension ConversationHandle {
    /// Sends a message.
    ///
    /// The message is on the disk when this returns; it is transmitted as soon as there is a way. All members may be
    /// offline.
    ///
    /// Files are read and sealed first, and pictures and voice notes are cleaned; later changes of the files have no
    /// effect. The message exists once all of them are sealed: until then, nothing shows it, and a crash or the
    /// cancellation of the task leaves nothing of it. A message to a group or room is one envelope for all members.
    /// Members that have a large file give it to the others.
    ///
    /// - Parameters:
    ///   - text: At most 64 KiB of UTF-8; it may be empty if there are files.
    ///   - files: At most 16 files of at most 4 GiB each. The recipient fetches a file of more than 256 KiB while both
    ///     nodes are within reach of each other; until then it waits.
    ///   - options: The message that it answers, the members that it mentions, and how long it is kept.
    ///   - progress: Gets the fraction of the files' bytes that is sealed: at most a hundred ascending numbers, the
    ///     last of which is 1. It runs on any thread, and the sealing waits for it.
    /// - Returns: The message.
    /// - Throws: `empty`, `tooLarge`, `fileUnusable`, `mediaRefused`, `noMediaCleaner`, `limited`, `refusedByTrust`,
    ///   `notMember`, `frozen`, `notFound`, `cancelled` if the task is cancelled before all files are sealed, or the
    ///   store's error.
    @discardableResult
    public func send(
        _ text: String,
        files: [FileDraft] = [],
        _ options: MessageOptions = MessageOptions(),
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(ChatError) -> Message {
        try await account.send(text, files: files, options, to: id, progress: progress)
    }

    /// Asks the members a question with options.
    ///
    /// - Parameters:
    ///   - poll: The question, with 2 to 12 options.
    ///   - options: The message that the poll answers, and the time for which the poll is kept.
    /// - Returns: The message, whose id names the poll.
    /// - Throws: `tooLarge`, `empty`, `limited`, `refusedByTrust`, `notMember`, `frozen`, `notFound`, or the store's
    ///   error.
    @discardableResult
    public func ask(_ poll: Poll, _ options: MessageOptions = MessageOptions()) async throws(ChatError) -> Message {
        try await account.transact { engine in try engine.ask(poll, options, to: id) }
    }

    // MARK: - Reading

    /// Returns a message; nil if this conversation has none with this id.
    ///
    /// - Throws: `locked`, `suspended`, `stopped`, or the store's error.
    public func message(_ message: MessageID) async throws(ChatError) -> Message? {
        try await account.read { engine in
            try engine.message(message).flatMap { $0.conversation == id ? $0 : nil }
        }
    }

    /// Returns the window of messages that a list shows, now and after each change.
    ///
    /// - Parameters:
    ///   - pageSize: The number of messages to begin with, and to add by each `loadEarlier()`; at most 1,000.
    ///   - message: The message to begin at; nil for the newest.
    public func messages(pageSize: Int = 50, around message: MessageID? = nil) -> MessageWindow {
        MessageWindow(of: self, pageSize: pageSize, around: message)
    }

    /// Returns a page of messages, oldest first.
    ///
    /// - Parameters:
    ///   - limit: The largest number of messages; at most 1,000.
    ///   - before: Only messages before this one; nil for the newest.
    /// - Throws: `notFound` for an unknown `before`, or the store's error.
    public func history(limit: Int = 50, before: MessageID? = nil) async throws(ChatError) -> [Message] {
        try await account.read { engine in try engine.history(of: id).page(limit: limit, before: before) }
    }

    /// Returns a page of a part of the conversation, oldest first: its first messages if the part has a beginning, else
    /// its last.
    ///
    /// - Parameters:
    ///   - limit: The largest number of messages; at most 1,000.
    ///   - span: The part.
    /// - Throws: `notFound` if a message at an edge is not of this conversation, or the store's error.
    public func history(limit: Int = 50, within span: HistorySpan) async throws(ChatError) -> [Message] {
        try await account.read { engine in try engine.history(of: id).page(limit: limit, within: span) }
    }

    /// Returns a part of the conversation, with the numbers of messages before and after it.
    ///
    /// - Parameters:
    ///   - limit: The largest number of messages; at most 1,000.
    ///   - place: The part.
    /// - Throws: `notFound` if a message is not of this conversation, or the store's error.
    public func history(limit: Int = 50, at place: HistoryWindow.Place) async throws(ChatError) -> HistoryWindow {
        try await account.read { engine in try engine.history(of: id).window(limit: limit, at: place) }
    }

    /// Returns the facts of a message for the policy of notices; nil if the message needs no notice.
    ///
    /// - Parameter message: A message from an event.
    public func noticeFacts(of message: Message) async throws(ChatError) -> NoticeFacts? {
        try await account.read { engine in engine.noticeFacts(of: message) }
    }

    // MARK: - Delivery

    /// Returns the statuses of an own message, from the present one on; a fast change may hide the one before it.
    ///
    /// The sequence ends with `last` or a later status. Recipients send read receipts only if they choose to, so that
    /// most messages stay `delivered`.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - last: The status to wait for; by default `delivered`.
    public func statuses(of message: MessageID, until last: DeliveryStatus = .delivered) -> Updates<DeliveryStatus> {
        Updates(
            node.feed,
            after: { event in
                if case .status(_, message, _) = event { true } else { false }
            },
            until: { $0.isFinal || $0.rank >= last.rank },
            read: { [self] () async throws(ChatError) in
                guard let status = try await self.message(message)?.status else { throw ChatError.noSuchMessage }
                return status
            }
        )
    }

    /// Returns the status of an own message for each recipient, now and after each change.
    ///
    /// The sequence throws `notFound` for any other message.
    public func deliveries(of message: MessageID) -> Updates<[RecipientDelivery]> {
        Updates(
            node.feed,
            after: { event in
                switch event {
                case .delivery(_, message, _), .status(_, message, _): true
                default: false
                }
            },
            read: { [self] () async throws(ChatError) in try await presentDeliveries(of: message) }
        )
    }

    /// Returns the present status of an own message for each recipient.
    ///
    /// - Throws: `notFound` for any other message, or the store's error.
    public func presentDeliveries(of message: MessageID) async throws(ChatError) -> [RecipientDelivery] {
        try await account.read { engine in
            try engine.check(message, isIn: id)
            guard let deliveries = try engine.deliveries(of: message) else {
                throw ChatError(.notFound, "None of your messages has this id.")
            }
            return deliveries
        }
    }

    /// Removes an own message that has not arrived everywhere from the outbox; copies that have left may still arrive.
    ///
    /// - Parameter message: The message; its status becomes `failed(.cancelled)`, unless a receipt comes later.
    /// - Throws: `notFound` if it does not wait, or the store's error.
    public func cancel(_ message: MessageID) async throws(ChatError) {
        try await change(message) { engine in try engine.cancel(message) }
    }

    // MARK: - Changes of messages

    /// Votes in a poll; the last vote counts, unless the poll does not allow another vote.
    ///
    /// - Parameters:
    ///   - options: The options by their positions, from 0; an empty list withdraws the vote.
    ///   - poll: The poll's message.
    /// - Throws: `notFound`, `noSuchOption`, `closed`, `limited`, `refusedByTrust`, or the store's error.
    public func vote(_ options: [Int], in poll: MessageID) async throws(ChatError) {
        try await change(poll) { engine in try engine.vote(options, in: poll) }
    }

    /// Closes an own poll: votes that have come count, later ones do not, on all nodes alike.
    ///
    /// - Parameter poll: The poll's message.
    /// - Throws: `notFound`, `notAuthor`, `limited`, `refusedByTrust`, or the store's error.
    public func closePoll(_ poll: MessageID) async throws(ChatError) {
        try await change(poll) { engine in try engine.closePoll(poll) }
    }

    /// Adds an emoji to a message, or removes it.
    ///
    /// - Parameters:
    ///   - emoji: One emoji.
    ///   - message: The message.
    ///   - isOn: Whether to add it; nil for the opposite of the present state.
    /// - Throws: `notEmoji`, `notFound`, `limited`, `refusedByTrust`, or the store's error.
    public func react(_ emoji: String, to message: MessageID, isOn: Bool? = nil) async throws(ChatError) {
        try await change(message) { engine in try engine.react(emoji, to: message, isOn: isOn) }
    }

    /// Replaces the text of an own message; the former text stays visible as `earlierTexts`.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - text: At most 13,312 bytes of UTF-8.
    /// - Throws: `notFound`, `notAuthor`, `empty`, `tooLarge`, `limited` after 16 edits, `refusedByTrust`, or the
    ///   store's error.
    public func edit(_ message: MessageID, to text: String) async throws(ChatError) {
        try await change(message) { engine in try engine.edit(message, to: text) }
    }

    /// Deletes a message: an own message on all nodes, where a tombstone stays visible, or any message on this node
    /// alone.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - forEveryone: Whether to delete it on all nodes.
    /// - Throws: `notFound`, `notAuthor`, `limited`, `refusedByTrust`, or the store's error.
    public func delete(_ message: MessageID, forEveryone: Bool) async throws(ChatError) {
        try await change(message) { engine in try engine.delete(message, forEveryone: forEveryone) }
    }

    /// Shows a streaming reply to the author of a message, and in a group or room to members that already have a path.
    ///
    /// At most eight peers see it. Nothing of it is stored anywhere, and unknown peers see none of it. The next call
    /// makes up for a lost one; the reply itself is a message with `replyTo`.
    ///
    /// - Parameters:
    ///   - text: The whole reply so far, of which the last 1,000 bytes are sent.
    ///   - question: The message that it answers, written by another peer.
    /// - Throws: `notFound`, `refusedByTrust`, `notMember`.
    public func streamReply(_ text: String, to question: MessageID) async throws(ChatError) {
        try await account.transact { engine in try engine.show(text, growingAnswerTo: question, to: id) }
    }

    /// Runs a step on a message of this conversation.
    ///
    /// - Throws: `notFound` for a message of another one.
    private func change(
        _ message: MessageID,
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) {
        try await account.transact { engine in
            try engine.check(message, isIn: id)
            try body(&engine)
        }
    }
}
