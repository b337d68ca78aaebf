import ChatCrypto

/// An effect of the earlier messages: something that is to be done outside of them.
enum EarlierMessageEffect: Sendable {
    /// Sends a request to a member; ``EarlierMessages/noteRequest(_:of:)`` takes its id.
    case ask(HistoryCursor, of: GroupID, PublicIdentity)
    /// Takes a request back that nobody needs to answer any more.
    case withdraw(MessageID)
    /// Sends a page to a new member.
    case give(HistoryPage, of: GroupID, PublicIdentity)
    /// Leaves room for earlier messages before the next message of a group.
    case reserve(GroupID)
    /// Adds an attested message at a position, or else at the end.
    case insert(ProtoMessageRecord, in: GroupID, at: UInt64?)
    /// Writes an attested message that is in the history.
    case put(ProtoMessageRecord, in: GroupID, at: UInt64)
    /// Removes a message that nobody attests any more.
    case remove(ProtoMessageRecord, in: GroupID)
    /// Shows the subscribers a message that is new or has changed.
    case notify(MessageID, isNew: Bool)
    /// Shows the subscribers how far the requests in a group have come.
    case progress(HistoryProgress, of: GroupID)
}

/// Answers about groups and their members.
protocol EarlierMessageSources {
    /// The present moment.
    var time: ChatTime { get }
    /// This node's own id.
    var ownID: PeerID { get }
    /// The log of a group that this node is a member of.
    func log(of group: GroupID) -> MembershipLog?
    /// The other members of a group without those who leave, in the order in which they came.
    func recipients(of group: GroupID) -> [PublicIdentity]
    /// The conversation of a group.
    func conversationID(of group: GroupID) -> ConversationID
    /// Whether something may be sent to a peer.
    func maySend(to peer: PeerID) -> Bool
    /// Whether messages of a peer may be shown.
    func mayReceive(from peer: PeerID) -> Bool
    /// The messages to a peer that are on their way.
    func inFlightCount(to peer: PeerID) -> Int
}
