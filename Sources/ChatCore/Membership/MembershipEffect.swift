import ChatCrypto
import MeshCore

/// A request of ``Membership`` to the engine.
enum MembershipEffect: Sendable {
    /// Writes the record of a group, which has changed.
    case touched(GroupID)
    /// Deletes an invitation that had to make room, and the sessions with its sender if nothing else needs them.
    case forgotten(GroupID, inviter: PeerID?)
    /// Sends a control message to a member.
    case send(ControlMessage, to: PublicIdentity)
    /// Asks a member for operations from an epoch on, over a session that the member is sure to understand.
    case ask(GroupID, from: UInt32, PublicIdentity)
    /// Spreads a notice that all members need.
    case spread(SealedGroupMessage, of: GroupID)
    /// Sends a new member, or one that has lost its secrets, a welcome.
    case welcome(GroupMember, from: GroupSession)
    /// Notes an identity that a log names.
    case meet(PublicIdentity)
    /// Appends a line to the history of a group, if it is not there.
    case line(GroupLine, GroupID)
    /// Notifies the user.
    case event(GroupEvent, GroupID)
    /// Stops all deliveries of a group to a member that has left it.
    case dropped(PeerID, GroupID)
    /// Repeats the disappearing-messages timer: new members cannot open the message that set it.
    case repeatTimer(GroupID)
    /// Notes the owner's new policy.
    case policy(GroupPolicy, after: GroupPolicy)
    /// Notes that another member, or this node, owns the group.
    case ownershipTransferred(GroupID, to: PeerID)
    /// Notes the welcome that this node joins by.
    case invited(GroupWelcome)
    /// Requests earlier messages and ends the joining of the room, because this node is a member now.
    case joined(GroupID)
    /// Ends all activity in a group: its keys are deleted.
    case ended(GroupID)
    /// Continues the owner's operations that waited for members.
    case confirmed(GroupID)
    /// Spreads the delivery proof of an invitation that the user accepts.
    case release([UInt8])
    /// Delivers sealed messages again that the mesh stores on this node, including those of sessions if `withControlMessages` is
    /// true.
    case recall(withControlMessages: Bool)
    /// Checks soon for operations that are the owner's duty.
    case runHousekeeping
}

/// The answers about the node that ``Membership`` depends on.
protocol MembershipSources {
    /// The present moment.
    var time: ChatTime { get }
    /// The peers, the trust in them, and the user's identities.
    var contacts: Contacts { get }
    /// The number of control messages in the outbox, including those in transit.
    var controlCount: Int { get }
    /// Whether the node is that of a room: its one group is the room, and the host signs operations without asking
    /// members.
    var isRoom: Bool { get }
    /// Whether a welcome into a group may be for this node: any group; for the node of a room, only the room.
    func admits(_ group: GroupID) -> Bool
    /// Whether a peer asks to be admitted to the room, or this node asks that peer.
    func isApplicant(_ peer: PeerID) -> Bool
    /// Returns the number of messages, control messages and receipts in transit to a peer.
    func inFlightCount(to peer: PeerID) -> Int
    /// Returns the time of the last change of a group's conversation.
    ///
    /// Units: milliseconds since 1970.
    func changedAt(_ group: GroupID) -> UInt64
}
