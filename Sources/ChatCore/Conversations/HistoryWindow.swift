public import ChatCrypto

/// A part of a conversation, and how much of it there is around.
///
/// What is kept but not shown, such as what is left of messages that are gone, is counted with the others.
public struct HistoryWindow: Hashable, Sendable {
    /// What part of a conversation is looked at.
    public enum Place: Hashable, Sendable {
        /// The newest messages.
        case end
        /// From the message on before which so many stand; the nearest where there is none.
        case index(Int)
        /// What is around a message.
        case message(MessageID)
    }

    /// The messages, oldest first.
    public let messages: [Message]
    /// How many stand before the first of them.
    public let countBefore: Int
    /// How many stand after the last of them.
    public let countAfter: Int

    /// Makes it.
    public init(messages: [Message], countBefore: Int, countAfter: Int) {
        self.messages = messages
        self.countBefore = countBefore
        self.countAfter = countAfter
    }
}
