public import ChatCrypto

/// A member who attests a message that this node has not opened itself.
public struct Voucher: Hashable, Sendable {
    /// The member's id.
    public let id: PeerID
    /// The member's name, as this node shows it.
    public let name: String

    package init(id: PeerID, name: String) {
        self.id = id
        self.name = name
    }
}
