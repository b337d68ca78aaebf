public import ChatCrypto
public import Foundation

/// One message of a conversation as people and programs see it.
public struct Message: Hashable, Sendable {
    /// The message's name, the same on both sides.
    public let id: MessageID
    /// The conversation it belongs to.
    public let conversation: ConversationID
    /// Who wrote it, as the session proves; never taken from the content.
    public let sender: PeerID
    /// What the sender is called here.
    public let senderName: String
    /// The text; empty if there are only files.
    public let text: String
    /// What goes with it.
    public let files: [MessageFile]
    /// The sender's clock when it was written.
    public let sentAt: Date
    /// This node's clock when it came; for an outgoing message, when it was written.
    public let receivedAt: Date
    /// Whether this node's user wrote it.
    public let isOutgoing: Bool
    /// Whether it comes from a stranger that the user has not accepted.
    public let isRequest: Bool
    /// How far it has come; for an incoming message `delivered`.
    public let status: DeliveryStatus
}
