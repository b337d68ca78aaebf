public import ChatCrypto

/// What happened in a group.
public enum GroupEvent: Hashable, Sendable {
    /// Somebody wants this node in it; it waits for the user.
    case invited(by: PeerID)
    /// This node is a member now.
    case joined
    /// The owner has taken somebody in.
    case added(PeerID)
    /// The owner has put somebody out.
    case removed(PeerID)
    /// Somebody leaves.
    case left(PeerID)
    /// It has another title.
    case renamed(String)
    /// Somebody else owns it now.
    case handedOver(to: PeerID)
    /// The owner has put this node out, or its user has left.
    case ended
    /// A member has signed two contents for one place; the second is not shown.
    case equivocation(by: PeerID)
    /// Its owner has signed two histories of it: nothing goes on in it.
    case forked
    /// The owner has decided anew what newcomers may be given.
    case policyChanged
    /// This node, new in it, was told of what was said before it came.
    case history(HistoryProgress)

    /// The event's name as programs read it.
    public var name: String {
        switch self {
        case .invited: "invited"
        case .joined: "joined"
        case .added: "added"
        case .removed: "removed"
        case .left: "left"
        case .renamed: "renamed"
        case .handedOver: "handedOver"
        case .ended: "ended"
        case .equivocation: "equivocation"
        case .forked: "forked"
        case .policyChanged: "policy"
        case .history: "history"
        }
    }

    /// Whom it is about, where that is somebody else.
    public var peer: PeerID? {
        switch self {
        case .invited(let peer), .added(let peer), .removed(let peer), .left(let peer), .handedOver(let peer),
            .equivocation(let peer):
            peer
        case .history(let progress): progress.voucher
        case .joined, .renamed, .ended, .forked, .policyChanged: nil
        }
    }
}
