/// An event about a peer's identity that the user should know.
///
/// Source: PROTOCOL §9.
public enum TrustEvent: Hashable, Codable, Sendable {
    /// An identity is seen for the first time.
    case newPeer(PeerID)
    /// The safety number was compared and is right.
    case verified(PeerID)
    /// A name looks like that of a contact, or two contacts have the same name.
    case nameCollision(PeerID, claimant: PeerID)
    /// A contact moved to a new identity that its old one signed.
    case rotated(PeerID, to: PeerID)
    /// Another identity claims to be this contact: by its name, or by a rotation that has to be confirmed.
    case changed(PeerID, claimant: PeerID)
    /// The owner of an identity has revoked it.
    case revoked(PeerID)
    /// A bundle has a lower version, and so a weaker suite, than one of its owner before; it was not accepted.
    case suiteDowngrade(PeerID)

    /// The contact that the event is about.
    public var peer: PeerID {
        switch self {
        case .newPeer(let peer), .verified(let peer), .revoked(let peer), .suiteDowngrade(let peer): peer
        case .nameCollision(let peer, _), .rotated(let peer, _), .changed(let peer, _): peer
        }
    }

    /// The event's name for programs.
    public var name: String {
        switch self {
        case .newPeer: "newPeer"
        case .verified: "verified"
        case .nameCollision: "nameCollision"
        case .rotated: "rotated"
        case .changed: "changed"
        case .revoked: "revoked"
        case .suiteDowngrade: "suiteDowngrade"
        }
    }
}
