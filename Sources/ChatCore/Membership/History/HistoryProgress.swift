public import ChatCrypto

/// How far a newcomer has got with what was said in a group before it came.
public struct HistoryProgress: Hashable, Sendable {
    /// Who told it so last, and vouches for it.
    public let voucher: PeerID
    /// Messages from before it came that are here by now.
    public let messageCount: Int
    /// Whether nothing more is asked for.
    public let isComplete: Bool

    package init(voucher: PeerID, messageCount: Int, isComplete: Bool) {
        self.voucher = voucher
        self.messageCount = messageCount
        self.isComplete = isComplete
    }
}
