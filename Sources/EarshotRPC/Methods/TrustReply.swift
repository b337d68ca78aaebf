package import ChatCrypto

/// Something that happened to the trust in a peer, on the wire.
package struct TrustReply: Codable, Hashable, Sendable {
    /// The peer id of whom it is about.
    package let peer: String
    /// What happened.
    package let event: String
    /// The peer id of another identity that claims to be the peer, for `nameCollision` and `changed`.
    package let claimant: String?
    /// The peer id of the identity that the peer went on to, for `rotated`.
    package let to: String?

    /// Puts an event into words of the wire.
    package init(_ trust: TrustEvent) {
        peer = trust.peer.description
        event = trust.name
        switch trust {
        case .nameCollision(_, let stranger), .changed(_, let stranger):
            claimant = stranger.description
            to = nil
        case .rotated(_, let next):
            claimant = nil
            to = next.description
        case .newPeer, .verified, .revoked, .suiteDowngrade:
            claimant = nil
            to = nil
        }
    }
}
