public import ChatCrypto

/// The delivery status of an own message for one of its recipients.
public struct RecipientDelivery: Hashable, Identifiable, Codable, Sendable {
    /// The recipient.
    public let recipient: PeerID
    /// The delivery status for the recipient.
    public let status: DeliveryStatus
    /// The hubs that have acknowledged the message for a recipient who has not confirmed it, as far as this node has
    /// sent it there since its start.
    public let copies: [HubCopy]
    /// The recipient; a message has one delivery for each.
    public var id: PeerID { recipient }

    /// Makes a delivery from its parts.
    public init(recipient: PeerID, status: DeliveryStatus, copies: [HubCopy] = []) {
        self.recipient = recipient
        self.status = status
        self.copies = copies
    }
}

/// A copy of an own message that a hub has acknowledged; it may lose it, and nobody may have fetched it.
public struct HubCopy: Hashable, Codable, Sendable {
    /// The name of the hub, without a login.
    public let hub: String
    /// The time of its acknowledgement.
    public let time: Timestamp

    /// Makes a copy from its parts.
    public init(hub: String, time: Timestamp) {
        self.hub = hub
        self.time = time
    }
}
