public import ChatCrypto

/// A group as this node knows it.
public struct ChatGroup: Hashable, Identifiable, Codable, Sendable {
    /// A member of a group.
    public struct Member: Hashable, Identifiable, Codable, Sendable {
        /// The member's id.
        public let id: PeerID
        /// The member's name here, or the name that the member chose.
        public let name: String
        /// Whether the member has announced to leave.
        public let isLeaving: Bool
        /// Whether the member is an admin, whose changes the owner's node makes without asking the owner.
        public let isAdmin: Bool

        /// Makes a member from its parts.
        public init(id: PeerID, name: String, isLeaving: Bool = false, isAdmin: Bool = false) {
            self.id = id
            self.name = name
            self.isLeaving = isLeaving
            self.isAdmin = isAdmin
        }
    }

    /// The membership status of this node.
    public enum MembershipStatus: String, Hashable, Codable, Sendable, CaseIterable {
        /// A peer has invited this node; the user has not answered.
        case invited
        /// Operations of the group's log are still missing.
        case joining
        /// This node is a member.
        case member
        /// This node was a member, or rejected the invitation.
        case out
    }

    /// The group's id, the same for all members.
    public let id: GroupID
    /// The title.
    public let title: String
    /// The members, in the order in which they joined.
    public let members: [Member]
    /// The member who decides on the membership.
    public let owner: PeerID?
    /// The member who may take over the group once the owner was silent for 14 days.
    public let successor: PeerID?
    /// The membership status of this node.
    public package(set) var membershipStatus: MembershipStatus
    /// The peer that invited this node, while this node is no member.
    public let invitedBy: PeerID?
    /// The number of changes of the group.
    public let epoch: UInt32
    /// Whether its owner has signed two histories of it, so that the group accepts nothing more.
    public let isFrozen: Bool
    /// The earlier messages that new members may be given.
    public package(set) var history: GroupPolicy.History

    /// Makes a group from its parts.
    public init(
        id: GroupID,
        title: String,
        members: [Member] = [],
        owner: PeerID? = nil,
        successor: PeerID? = nil,
        membershipStatus: MembershipStatus = .member,
        invitedBy: PeerID? = nil,
        epoch: UInt32 = 0,
        isFrozen: Bool = false,
        history: GroupPolicy.History = .none
    ) {
        self.id = id
        self.title = title
        self.members = members
        self.owner = owner
        self.successor = successor
        self.membershipStatus = membershipStatus
        self.invitedBy = invitedBy
        self.epoch = epoch
        self.isFrozen = isFrozen
        self.history = history
    }
}
