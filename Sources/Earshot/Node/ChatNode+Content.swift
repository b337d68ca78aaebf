public import ChatCore
public import ChatCrypto
import MeshCore

extension ChatNode {
    /// Asks a peer, or the members of a group or room, a question with options.
    ///
    /// - Parameters:
    ///   - poll: The question, with 2 to 12 options.
    ///   - options: The message that the poll answers, and the time for which the poll is kept.
    ///   - conversation: The conversation.
    /// - Returns: The message, whose id names the poll.
    /// - Throws: `tooLarge`, `empty`, `limited`, `refusedByTrust`, `notMember`, `frozen`, `notFound`, or the store's
    ///   error.
    @discardableResult
    public func ask(
        _ poll: Poll,
        _ options: MessageOptions = MessageOptions(),
        to conversation: ConversationID
    ) async throws(ChatError) -> Message {
        try await account(of: conversation).transact { engine in
            try engine.ask(poll, options, to: conversation)
        }
    }

    /// Votes in a poll; the last vote counts, unless the poll does not allow another vote.
    ///
    /// - Parameters:
    ///   - options: The options by their positions, from 0; an empty list withdraws the vote.
    ///   - poll: The poll's message.
    /// - Throws: `notFound`, `noSuchOption`, `closed`, `limited`, `refusedByTrust`, or the store's error.
    public func vote(_ options: [Int], in poll: MessageID) async throws(ChatError) {
        try await account(holding: poll).transact { engine in
            try engine.vote(options, in: poll)
        }
    }

    /// Closes an own poll: votes that have come count, later ones do not, on all nodes alike.
    ///
    /// - Parameter poll: The poll's message.
    /// - Throws: `notFound`, `notAuthor`, `limited`, `refusedByTrust`, or the store's error.
    public func closePoll(_ poll: MessageID) async throws(ChatError) {
        try await account(holding: poll).transact { engine in try engine.closePoll(poll)
        }
    }

    /// Adds an emoji to a message, or removes it.
    ///
    /// - Parameters:
    ///   - emoji: One emoji.
    ///   - message: The message.
    ///   - isOn: Whether to add it; nil for the opposite of the present state.
    /// - Throws: `notEmoji`, `notFound`, `limited`, `refusedByTrust`, or the store's error.
    public func react(_ emoji: String, to message: MessageID, isOn: Bool? = nil) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.react(emoji, to: message, isOn: isOn)
        }
    }

    /// Replaces the text of an own message; the former text stays visible as `earlierTexts`.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - text: At most 15,360 bytes of UTF-8.
    /// - Throws: `notFound`, `notAuthor`, `empty`, `tooLarge`, `limited` after 16 edits, `refusedByTrust`, or the
    ///   store's error.
    public func edit(_ message: MessageID, to text: String) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.edit(message, to: text)
        }
    }

    /// Deletes a message: an own message on all nodes, where a tombstone stays visible, or any message on this node
    /// alone.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - forEveryone: Whether to delete it on all nodes.
    /// - Throws: `notFound`, `notAuthor`, `limited`, `refusedByTrust`, or the store's error.
    public func delete(_ message: MessageID, forEveryone: Bool) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.delete(message, forEveryone: forEveryone)
        }
    }

    /// Sets the disappearing-messages timer of a conversation, for all its members: the time after which messages from
    /// now on disappear once they were read.
    ///
    /// - Parameters:
    ///   - duration: A second to 365 days; zero for never.
    ///   - conversation: The conversation.
    /// - Returns: The system line that reports it.
    /// - Throws: `tooLarge`, `limited`, `refusedByTrust`, `notMember`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func setTimer(
        _ duration: Duration,
        of conversation: ConversationID
    ) async throws(ChatError) -> Message {
        try await account(of: conversation).transact { engine in
            try engine.setTimer(duration, of: conversation)
        }
    }

    /// Shows a typing indicator to a peer, or to the contacts in a group, if the settings allow it; nothing of it is
    /// stored anywhere.
    ///
    /// An indicator lasts six seconds, so repeat it meanwhile; it is sent at most every two seconds.
    ///
    /// - Parameters:
    ///   - isTyping: Whether the user is typing, or has stopped.
    ///   - conversation: The conversation.
    /// - Throws: `notFound`, `refusedByTrust`, `notMember`.
    public func typing(_ isTyping: Bool = true, to conversation: ConversationID) async throws(ChatError) {
        try await account(of: conversation).transact { engine in
            try engine.sendTyping(isTyping, to: conversation)
        }
    }

    /// Shows a streaming reply to the author of a message, and in a group or room to members that already have a path.
    ///
    /// At most eight peers see it. Nothing of it is stored anywhere, and unknown peers see none of it.
    ///
    /// The next call makes up for a lost one; the reply itself is a message with `replyTo`.
    ///
    /// - Parameters:
    ///   - text: The whole reply so far, of which the last 1,000 bytes are sent.
    ///   - question: The message that it answers, written by another peer.
    ///   - conversation: The conversation of that message.
    /// - Throws: `notFound`, `refusedByTrust`, `notMember`.
    public func show(
        _ text: String,
        growingAnswerTo question: MessageID,
        to conversation: ConversationID
    ) async throws(ChatError) {
        try await account(of: conversation).transact { engine in
            try engine.show(text, growingAnswerTo: question, to: conversation)
        }
    }
}
