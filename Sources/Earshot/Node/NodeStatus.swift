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
    public internal(set) var uptime = Duration.zero
    /// Links that are up.
    public internal(set) var linkCount = 0
    /// Neighbours heard by discovery.
    public internal(set) var neighbourCount = 0
    /// Contacts known.
    public internal(set) var contactCount: Int
    /// Own messages without receipt.
    public internal(set) var outboxCount: Int
    /// Envelopes held for others and for this node's own sending.
    public internal(set) var carriedCount = 0
    /// Whether it is locked: then neither contacts nor outbox are known.
    public internal(set) var isLocked = false
    /// Signs that something other than Earshot has changed what is kept; `ChatNode.historyReport` tells which.
    public internal(set) var tamperSignCount = 0
    /// Whether its identity is revoked: nothing is written under it any more.
    public internal(set) var isRevoked = false
    /// Whether its home is under a passphrase, so that it can be locked.
    public internal(set) var hasPassphrase = false
    /// What the files of messages take, rooms included.
    ///
    /// Units: bytes; 0 while it is locked.
    public internal(set) var mediaByteCount: UInt64 = 0
    /// What they may take: ``ChatConfiguration/mediaByteLimit``.
    public internal(set) var mediaByteLimit: UInt64 = 0
}
