public import ChatCrypto

/// The state of a new member's requests for the earlier messages of a group.
public struct HistoryProgress: Hashable, Codable, Sendable {
    /// The last member that received a request; this member attests its messages.
    public let attester: PeerID
    /// The number of earlier messages that have arrived.
    public let messageCount: Int
    /// Whether nothing more is requested.
    public let isComplete: Bool

    /// Makes a state from its parts.
    public init(attester: PeerID, messageCount: Int, isComplete: Bool) {
        self.attester = attester
        self.messageCount = messageCount
        self.isComplete = isComplete
    }
}
