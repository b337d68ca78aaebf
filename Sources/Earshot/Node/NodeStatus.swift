public import ChatCrypto

/// How a node is doing.
public struct NodeStatus: Hashable, Sendable {
    /// The node's own identity.
    public let id: PeerID
    /// What it calls itself.
    public let name: String
    /// Shape: 30 digits in groups of five.
    public let fingerprint: String
    /// The version of the program.
    public let version: String
    /// Since `start()`; zero before.
    public let uptime: Duration
    /// Links that are up.
    public let linkCount: Int
    /// Neighbours heard by discovery.
    public let neighbourCount: Int
    /// Contacts known.
    public let contactCount: Int
    /// Own messages without receipt.
    public let outboxCount: Int
    /// Envelopes held for others and for this node's own sending.
    public let carriedCount: Int
    /// Signs that something other than Earshot has changed what is kept; `ChatNode.historyReport` tells which.
    public var tamperSignCount = 0
}
