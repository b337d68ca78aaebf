import ChatCrypto
import MeshCore

/// A request of ``Membership`` to others.
enum MembershipEffect: Sendable {
    /// Write the record of a group, which has changed.
    case touched(GroupID)
    /// Delete an invitation that had to make room, and the sessions with its sender where nothing else needs them.
    case forgotten(GroupID, inviter: PeerID?)
    /// Send a control message to a member.
    case send(GroupNote, to: PublicIdentity)
    /// Ask a member for operations from an epoch on, over a session that the member is sure to understand.
    case ask(GroupID, from: UInt32, PublicIdentity)
    /// Send a new member their welcome.
    case welcome(GroupMember, into: GroupID)
    /// Note an identity that a log names.
    case meet(PublicIdentity)
    /// Append a line to the history of a group, if it is not there.
    case line(GroupLine, GroupID)
    /// Tell the user.
    case event(GroupEvent, GroupID)
    /// Stop all deliveries of a group to a member that has left it.
    case dropped(PeerID, GroupID)
    /// Repeat the disappearing-messages timer: new members cannot open the message that set it.
    case repeatTimer(GroupID)
    /// Note the owner's new policy.
    case policy(GroupPolicy, after: GroupPolicy)
    /// Note that another member, or this node, owns the group.
    case handedOver(GroupID, to: PeerID)
    /// Note the welcome that this node joins by.
    case invited(GroupWelcome)
    /// Ask for earlier messages and end the way into the room, now that this node is a member.
    case joined(GroupID)
    /// End all that goes on in a group: its keys are gone.
    case ended(GroupID)
    /// Let the owner's operations go on that waited for members.
    case confirmed(GroupID)
    /// Spread the delivery proof of an invitation that the user accepts.
    case release([UInt8])
    /// Have sealed messages handed over again that the mesh holds, and those of sessions too.
    case recall(withNotes: Bool)
    /// Look soon for operations that owners owe.
    case keepHouse
}

/// The answers about the node that ``Membership`` depends on.
protocol MembershipSources {
    /// The present moment.
    var time: ChatTime { get }
    /// The peers, the trust in them, and the user's identities.
    var contacts: Contacts { get }
    /// The control messages in the outbox, those on their way too.
    var noteCount: Int { get }
    /// Whether the node is that of a room: its one group is the room, and the host signs operations without asking members.
    var isRoom: Bool { get }
    /// Whether a welcome into a group may be for this node: into any but for the node of a room.
    func admits(_ group: GroupID) -> Bool
    /// Whether a peer asks to be let into the room, or this node asks them.
    func isAtDoor(_ peer: PeerID) -> Bool
    /// The messages, control messages and receipts on their way to a peer.
    func inFlightCount(to peer: PeerID) -> Int
    /// The last change of a group's conversation. Units: milliseconds since 1970.
    func changedAt(_ group: GroupID) -> UInt64
}
