public import ChatCrypto

/// The part of a conversation to read.
public struct HistorySpan: Hashable, Codable, Sendable {
    /// The start or the end of a part.
    public enum Edge: Hashable, Codable, Sendable {
        /// A message, which is not in the part itself.
        case message(MessageID)
        /// A moment by this node's clock, compared with the shown times: earlier messages are before the edge.
        case moment(Timestamp)
    }

    /// The exclusive start; nil for the conversation's start.
    public var after: Edge?
    /// The exclusive end; nil for the conversation's end.
    public var before: Edge?

    /// Makes a part; without edges it is the whole conversation.
    public init(after: Edge? = nil, before: Edge? = nil) {
        self.after = after
        self.before = before
    }
}
