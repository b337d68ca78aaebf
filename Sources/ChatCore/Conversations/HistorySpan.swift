public import ChatCrypto

/// The part of a conversation that is to be looked at.
public struct HistorySpan: Hashable, Sendable {
    /// Where a part begins or ends.
    public enum Edge: Hashable, Sendable {
        /// A message, which is not in the part itself.
        case message(MessageID)
        /// A moment by this node's clock, as messages are shown with: what came before it stands before the edge.
        case moment(Timestamp)
    }

    /// Only what stands after this; nil for the conversation's beginning.
    public var after: Edge?
    /// Only what stands before this; nil for the conversation's end.
    public var before: Edge?

    /// Makes a part; without edges it is the whole conversation.
    public init(after: Edge? = nil, before: Edge? = nil) {
        self.after = after
        self.before = before
    }
}
