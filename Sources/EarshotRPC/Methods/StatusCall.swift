import ChatCrypto
package import Earshot

/// How the node is doing.
package struct StatusCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "status"
    /// It takes none.
    package static let parameters: [String] = []
    /// It tells and changes nothing of what is in the home.
    package static let needsKeys = false

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> StatusReply {
        StatusReply(await node.status)
    }
}

/// A node's status on the wire.
package struct StatusReply: Codable, Hashable, Sendable {
    /// The node's own peer id.
    package let id: String
    /// What it calls itself.
    package let name: String
    /// Shape: 30 digits in groups of five.
    package let fingerprint: String
    /// The version of the program.
    package let version: String
    /// Units: seconds, to the millisecond.
    package let uptime: Double
    /// Links that are up.
    package let links: Int
    /// Neighbours heard by discovery.
    package let neighbours: Int
    /// Contacts known.
    package let contacts: Int
    /// Own messages without receipt.
    package let outbox: Int
    /// Envelopes held.
    package let carried: Int
    /// Signs that something other than Earshot has changed what is kept; `history.check` tells which.
    package let tampering: Int
    /// True for a node whose own identity is revoked: nothing is written under it any more.
    package let revoked: Bool?
    /// True for a home that is under a passphrase and can be locked; absent for others.
    package let passphrase: Bool?
    /// Units: bytes of the files of messages, rooms included.
    package let mediaBytes: UInt64
    /// Units: bytes that they may take.
    package let mediaLimit: UInt64
    /// Whether the node is locked: then contacts and outbox are told as 0.
    package let locked: Bool

    /// Puts a status into words of the wire.
    package init(_ status: NodeStatus) {
        id = status.id.description
        name = status.name
        fingerprint = status.fingerprint
        version = status.version
        let (seconds, attoseconds) = status.uptime.components
        uptime = Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1_000
        links = status.linkCount
        neighbours = status.neighbourCount
        contacts = status.contactCount
        outbox = status.outboxCount
        carried = status.carriedCount
        tampering = status.tamperSignCount
        revoked = status.isRevoked ? true : nil
        passphrase = status.hasPassphrase ? true : nil
        mediaBytes = status.mediaByteCount
        mediaLimit = status.mediaByteLimit
        locked = status.isLocked
    }
}
