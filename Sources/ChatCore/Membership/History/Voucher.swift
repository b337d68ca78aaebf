public import ChatCrypto

/// A member on whose word alone a message is shown.
public struct Voucher: Hashable, Sendable {
    /// Who.
    public let id: PeerID
    /// What this one is called here.
    public let name: String

    package init(id: PeerID, name: String) {
        self.id = id
        self.name = name
    }
}
