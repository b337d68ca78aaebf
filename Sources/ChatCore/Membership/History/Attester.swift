public import ChatCrypto

/// A member who attests a message that this node has not opened itself.
public struct Attester: Hashable, Identifiable, Codable, Sendable {
    /// The member's id.
    public let id: PeerID
    /// The member's name, as this node shows it.
    public let name: String

    /// Makes an attester from its parts.
    public init(id: PeerID, name: String) {
        self.id = id
        self.name = name
    }
}
