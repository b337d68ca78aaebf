import ChatCrypto

/// An effect of the earlier messages, which the engine carries out.
enum EarlierMessageEffect: Sendable {
    /// Sends a request to a member; ``EarlierMessages/noteRequest(_:of:)`` takes its id.
    case ask(HistoryCursor, of: GroupID, PublicIdentity)
    /// Withdraws a request that needs no answer any more.
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
    /// Reports a message that is new or has changed to the subscribers.
    case notify(MessageID, isNew: Bool)
    /// Reports the progress of the requests in a group to the subscribers.
    case progress(HistoryProgress, of: GroupID)
}

/// The answers that the earlier messages need about groups and their members.
protocol EarlierMessageSources {
    /// The present moment.
    var time: ChatTime { get }
    /// This node's own id.
    var ownID: PeerID { get }
    /// Returns the members of a group that this node is a member of.
    func roster(of group: GroupID) -> GroupRoster?
    /// Returns the other members of a group without those who leave, in the order in which they joined.
    func recipients(of group: GroupID) -> [PublicIdentity]
    /// Returns the conversation of a group.
    func conversationID(of group: GroupID) -> ConversationID
    /// Whether messages may be sent to a peer.
    func maySend(to peer: PeerID) -> Bool
    /// Whether messages of a peer may be shown.
    func mayReceive(from peer: PeerID) -> Bool
    /// Returns the number of messages to a peer in transit.
    func inFlightCount(to peer: PeerID) -> Int
}
