/// A decision of the user about a peer.
public enum TrustDecision: String, Sendable, CaseIterable {
    /// Talk to it: a stranger's request is answered, a contact whose name is claimed by another is meant all the same.
    case accept
    /// Want nothing of it any more.
    case block
    /// Take a block back.
    case unblock
}
