public import ChatCrypto

/// A group as this node knows it.
public struct Group: Hashable, Sendable, Identifiable {
    /// Somebody in it.
    public struct Member: Hashable, Sendable, Identifiable {
        /// Who.
        public let id: PeerID
        /// What this one is called here, or wants to be called.
        public let name: String
        /// Whether this one said that it leaves.
        public let isLeaving: Bool
    }

    /// How this node stands to it.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// Somebody wants this node in it; the user has not answered.
        case invited
        /// Operations are still missing.
        case joining
        /// This node is in it.
        case member
        /// This node was in it, or turned it down.
        case out
    }

    /// The group's name, the same for everybody.
    public let id: GroupID
    /// What it is called.
    public let title: String
    /// Everybody in it, those who came first in front.
    public let members: [Member]
    /// Who decides who is in it.
    public let owner: PeerID?
    /// How this node stands to it.
    public package(set) var standing: Standing
    /// Who wants this node in it, while it is no member.
    public let invitedBy: PeerID?
    /// How often the group has changed.
    public let epoch: UInt32
    /// Whether its owner has signed two histories of it, so that nothing goes on in it.
    public let isFrozen: Bool
    /// What newcomers may be given of what was said before they came.
    public package(set) var history = GroupPolicy.History.none
}

/// How far a message to a group has come to one of its members.
public struct GroupDelivery: Hashable, Sendable {
    /// Who.
    public let member: PeerID
    /// How far.
    public let status: DeliveryStatus
}
