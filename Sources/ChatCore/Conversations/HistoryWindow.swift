public import ChatCrypto

/// A part of a conversation, with the numbers of messages around it.
///
/// Stored messages that are not shown, such as tombstones, are counted with the others.
public struct HistoryWindow: Hashable, Codable, Sendable {
    /// The place of the part in the conversation.
    public enum Place: Hashable, Codable, Sendable {
        /// The newest messages.
        case end
        /// The message with this index and those after it; the nearest if there is none.
        case index(Int)
        /// The messages around a message.
        case message(MessageID)
    }

    /// The messages, oldest first.
    public let messages: [Message]
    /// The number of messages before the first of them.
    public let countBefore: Int
    /// The number of messages after the last of them.
    public let countAfter: Int

    /// Makes a window.
    public init(messages: [Message], countBefore: Int = 0, countAfter: Int = 0) {
        self.messages = messages
        self.countBefore = countBefore
        self.countAfter = countAfter
    }
}
