public import ChatCore
public import ChatCrypto

/// The present status of a node.
public struct NodeStatus: Hashable, Identifiable, Codable, Sendable {
    /// The node's own identity.
    public let id: PeerID
    /// The node's nickname.
    public let name: String
    /// Shape: 30 digits in groups of five.
    public let fingerprint: String
    /// The version of the program.
    public let version: String
    /// The time since `start()`; zero before.
    public internal(set) var uptime: Duration
    /// Links that are up.
    public internal(set) var linkCount: Int
    /// Neighbours heard by discovery.
    public internal(set) var neighbourCount: Int
    /// Contacts known.
    public internal(set) var contactCount: Int
    /// Own messages without a receipt.
    public internal(set) var outboxCount: Int
    /// Envelopes that the node stores for others and for its own sending.
    public internal(set) var carriedCount: Int
    /// The choice between posting and carrying direct messages.
    public internal(set) var delivery: DeliverySetting
    /// Whether direct messages are carried at present: relays between two nodes then learn that they exchange messages.
    public internal(set) var isCarrying: Bool
    /// Whether the node is locked; then contacts and outbox are not known.
    public internal(set) var isLocked: Bool
    /// Signs that something other than Earshot has changed stored records; `ChatNode.historyReport` lists them.
    public internal(set) var tamperSignCount: Int
    /// Whether the node's identity is revoked: nothing is written under it any more.
    public internal(set) var isRevoked: Bool
    /// Whether the home has a passphrase, so that the node can be locked.
    public internal(set) var hasPassphrase: Bool
    /// The hubs with which this node exchanges mail.
    public internal(set) var hubs: [HubReport]
    /// The time since a gateway, which exchanges mail with hubs for this mesh, announced itself; nil if none did.
    public internal(set) var gatewayAge: Duration?
    /// The space that the files of messages take, rooms included.
    ///
    /// Units: bytes; 0 while the node is locked.
    public internal(set) var mediaByteCount: UInt64
    /// The space that they may take: ``ChatConfiguration/mediaByteLimit``.
    public internal(set) var mediaByteLimit: UInt64

    /// Makes a status from its parts.
    public init(
        id: PeerID,
        name: String,
        fingerprint: String,
        version: String = "",
        uptime: Duration = .zero,
        linkCount: Int = 0,
        neighbourCount: Int = 0,
        contactCount: Int = 0,
        outboxCount: Int = 0,
        carriedCount: Int = 0,
        delivery: DeliverySetting = .auto,
        isCarrying: Bool = false,
        isLocked: Bool = false,
        tamperSignCount: Int = 0,
        isRevoked: Bool = false,
        hasPassphrase: Bool = false,
        hubs: [HubReport] = [],
        gatewayAge: Duration? = nil,
        mediaByteCount: UInt64 = 0,
        mediaByteLimit: UInt64 = 0
    ) {
        self.id = id
        self.name = name
        self.fingerprint = fingerprint
        self.version = version
        self.uptime = uptime
        self.linkCount = linkCount
        self.neighbourCount = neighbourCount
        self.contactCount = contactCount
        self.outboxCount = outboxCount
        self.carriedCount = carriedCount
        self.delivery = delivery
        self.isCarrying = isCarrying
        self.isLocked = isLocked
        self.tamperSignCount = tamperSignCount
        self.isRevoked = isRevoked
        self.hasPassphrase = hasPassphrase
        self.hubs = hubs
        self.gatewayAge = gatewayAge
        self.mediaByteCount = mediaByteCount
        self.mediaByteLimit = mediaByteLimit
    }
}
