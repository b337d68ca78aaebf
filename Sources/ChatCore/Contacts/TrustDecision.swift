/// A decision of the user about a peer.
public enum TrustDecision: String, Sendable, CaseIterable {
    /// Talks to the peer: answers an unknown peer's request, or keeps a contact whose name another identity claims.
    case accept
    /// Blocks the peer: nothing of it is accepted any more.
    case block
    /// Removes a block.
    case unblock
}
