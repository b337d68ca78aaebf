public import ChatCrypto

/// The present status of a node.
public struct NodeStatus: Hashable, Sendable {
    /// The node's own identity.
    public let id: PeerID
    /// The node's nickname.
    public let name: String
    /// Shape: 30 digits in groups of five.
    public let fingerprint: String
    /// The version of the program.
    public let version: String
    /// The time since `start()`; zero before.
    public internal(set) var uptime = Duration.zero
    /// Links that are up.
    public internal(set) var linkCount = 0
    /// Neighbours heard by discovery.
    public internal(set) var neighbourCount = 0
    /// Contacts known.
    public internal(set) var contactCount: Int
    /// Own messages without a receipt.
    public internal(set) var outboxCount: Int
    /// Envelopes that the node stores for others and for its own sending.
    public internal(set) var carriedCount = 0
    /// Whether the node is locked; then contacts and outbox are not known.
    public internal(set) var isLocked = false
    /// Signs that something other than Earshot has changed stored records; `ChatNode.historyReport` lists them.
    public internal(set) var tamperSignCount = 0
    /// Whether the node's identity is revoked: nothing is written under it any more.
    public internal(set) var isRevoked = false
    /// Whether the home has a passphrase, so that the node can be locked.
    public internal(set) var hasPassphrase = false
    /// The space that the files of messages take, rooms included.
    ///
    /// Units: bytes; 0 while the node is locked.
    public internal(set) var mediaByteCount: UInt64 = 0
    /// The space that they may take: ``ChatConfiguration/mediaByteLimit``.
    public internal(set) var mediaByteLimit: UInt64 = 0
}
