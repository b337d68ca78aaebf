public import ChatCore
public import ChatCrypto
import MeshCore

extension ChatNode {
    /// Asks a peer, or the members of a group or room, a question with options.
    ///
    /// - Parameters:
    ///   - poll: The question, with 2 to 12 options.
    ///   - options: The message that it answers, and how long it is kept.
    ///   - conversation: The conversation.
    /// - Returns: The message, whose id names the poll.
    /// - Throws: `tooLarge`, `empty`, `limited`, `refusedByTrust`, `notMember`, `frozen`, `notFound`, or what the store
    ///   refuses.
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

    /// Votes in a poll; the last vote counts, unless the poll lets nobody choose anew.
    ///
    /// - Parameters:
    ///   - options: The options by their places, from 0; none takes the vote back.
    ///   - poll: The poll's message.
    /// - Throws: `notFound`, `noSuchOption`, `closed`, `limited`, `refusedByTrust`, or what the store refuses.
    public func vote(_ options: [Int], in poll: MessageID) async throws(ChatError) {
        try await account(holding: poll).transact { engine in
            try engine.vote(options, in: poll)
        }
    }

    /// Ends an own poll: the votes that have come count, those that come later do not, on all nodes alike.
    ///
    /// - Parameter poll: The poll's message.
    /// - Throws: `notFound`, `notAuthor`, `limited`, `refusedByTrust`, or what the store refuses.
    public func closePoll(_ poll: MessageID) async throws(ChatError) {
        try await account(holding: poll).transact { engine in try engine.closePoll(poll)
        }
    }

    /// Puts an emoji on a message, or takes it away.
    ///
    /// - Parameters:
    ///   - emoji: One emoji.
    ///   - message: The message.
    ///   - isOn: Whether it is to be there; nil for the opposite of how it is.
    /// - Throws: `notEmoji`, `notFound`, `limited`, `refusedByTrust`, or what the store refuses.
    public func react(_ emoji: String, to message: MessageID, isOn: Bool? = nil) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.react(emoji, to: message, isOn: isOn)
        }
    }

    /// Puts another text in place of an own one; what stood there stays visible as `earlierTexts`.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - text: At most 15,360 bytes of UTF-8.
    /// - Throws: `notFound`, `notAuthor`, `empty`, `tooLarge`, `limited` after 16 edits, `refusedByTrust`, or what the
    ///   store refuses.
    public func edit(_ message: MessageID, to text: String) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.edit(message, to: text)
        }
    }

    /// Deletes a message: an own one on all nodes, where that it was there stays visible, or any one on this node alone.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - forEveryone: Whether it is to go everywhere.
    /// - Throws: `notFound`, `notAuthor`, `limited`, `refusedByTrust`, or what the store refuses.
    public func delete(_ message: MessageID, forEveryone: Bool) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.delete(message, forEveryone: forEveryone)
        }
    }

    /// Sets after how long messages of a conversation go once they were read, from now on, for everybody in it.
    ///
    /// - Parameters:
    ///   - duration: A second to 365 days; zero for never.
    ///   - conversation: Which.
    /// - Returns: The line that tells it.
    /// - Throws: `tooLarge`, `limited`, `refusedByTrust`, `notMember`, `frozen`, `notFound`, or what the store refuses.
    @discardableResult
    public func setTimer(
        _ duration: Duration,
        of conversation: ConversationID
    ) async throws(ChatError) -> Message {
        try await account(of: conversation).transact { engine in
            try engine.setTimer(duration, of: conversation)
        }
    }

    /// Tells a peer, or the contacts in a group, that somebody types here, where the settings allow it; nothing of it is
    /// kept anywhere.
    ///
    /// It holds for six seconds, so repeat it meanwhile; what is said more often than every two seconds stays here.
    ///
    /// - Parameters:
    ///   - isTyping: Whether somebody does, or has stopped.
    ///   - conversation: Which.
    /// - Throws: `notFound`, `refusedByTrust`, `notMember`.
    public func typing(_ isTyping: Bool = true, to conversation: ConversationID) async throws(ChatError) {
        try await account(of: conversation).transact { engine in
            try engine.sendTyping(isTyping, to: conversation)
        }
    }

    /// Shows who asked how far the answer to its message has come, and in a group or room those of the others whom a path
    /// leads to already, eight at most; nothing of it is kept anywhere, and strangers see none of it.
    ///
    /// What is lost on its way, the next call makes good; the answer itself is a message that has `replyTo`.
    ///
    /// - Parameters:
    ///   - text: All there is of the answer, of which the last 1,000 bytes go out.
    ///   - question: The message, of somebody else.
    ///   - conversation: Where it stands.
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
