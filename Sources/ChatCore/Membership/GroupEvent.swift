public import ChatCrypto

/// An event in a group.
public enum GroupEvent: Hashable, Codable, Sendable {
    /// A peer has invited this node; the invitation waits for the user.
    case invited(by: PeerID)
    /// This node is a member now.
    case joined
    /// The owner has added a member.
    case added(PeerID)
    /// The owner has removed a member.
    case removed(PeerID)
    /// A member leaves.
    case left(PeerID)
    /// The group has a new title.
    case renamed(String)
    /// Another member owns the group now.
    case ownershipTransferred(to: PeerID)
    /// The owner has removed this node, or its user has left.
    case ended
    /// A member has signed two contents for one position; the second is not shown.
    case equivocation(by: PeerID)
    /// The owner has signed two histories of the group: it accepts nothing more.
    case forked
    /// The owner has changed which earlier messages new members may be given.
    case policyChanged
    /// This node, a new member, has received earlier messages.
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
        case .ownershipTransferred: "handedOver"
        case .ended: "ended"
        case .equivocation: "equivocation"
        case .forked: "forked"
        case .policyChanged: "policy"
        case .history: "history"
        }
    }

    /// The other peer concerned, if there is one.
    public var peer: PeerID? {
        switch self {
        case .invited(let peer), .added(let peer), .removed(let peer), .left(let peer), .ownershipTransferred(let peer),
            .equivocation(let peer):
            peer
        case .history(let progress): progress.attester
        case .joined, .renamed, .ended, .forked, .policyChanged: nil
        }
    }
}
