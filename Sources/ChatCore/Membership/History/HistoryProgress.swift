public import ChatCrypto

/// The state of a new member's requests for the earlier messages of a group.
public struct HistoryProgress: Hashable, Sendable {
    /// The member that was asked last, and attests its messages.
    public let voucher: PeerID
    /// The number of earlier messages that have come.
    public let messageCount: Int
    /// Whether nothing more is asked for.
    public let isComplete: Bool

    package init(voucher: PeerID, messageCount: Int, isComplete: Bool) {
        self.voucher = voucher
        self.messageCount = messageCount
        self.isComplete = isComplete
    }
}
