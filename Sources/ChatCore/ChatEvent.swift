public import ChatCrypto

/// An event of a node for its subscribers; the node sends it only after its content is durable.
///
/// The enum is indirect, so that its content has memory of its own, which is freed with the last reference to the
/// event. The queues of the standard library leave returned elements in place, and a short text would remain there.
public indirect enum ChatEvent: Hashable, Sendable {
    /// A link to a neighbour came up; the count is the present number of links.
    case linkUp(count: Int)
    /// A link to a neighbour ended; the count is the present number of links.
    case linkDown(count: Int)
    /// A contact is new or has changed.
    case contact(Contact)
    /// The trust in a peer has changed.
    case trust(TrustEvent)
    /// A conversation was read, muted or unmuted.
    case conversation(Conversation)
    /// A message arrived, or this node's user sent one.
    case message(Message)
    /// A message changed by a reaction, an edit, a vote, its deletion or the last byte of a file; this is its present
    /// state.
    case changed(Message)
    /// A message was removed from this node: its time was over, or this node's user deleted it here.
    case removed(ConversationID, MessageID)
    /// This node's user has erased a whole conversation here.
    case erased(ConversationID)
    /// A peer is typing, for the next six seconds, or has stopped.
    case typing(ConversationID, by: PeerID, isTyping: Bool)
    /// A streaming reply to a message grows: its whole text so far, until the message itself replaces it.
    ///
    /// A contact or a member of a room writes it; in a group or room it may answer the message of any member.
    case streamingReply(ConversationID, by: PeerID, answering: MessageID, text: String)
    /// The delivery status of an outgoing message has advanced.
    case status(ConversationID, MessageID, DeliveryStatus)
    /// The delivery status of an outgoing message to a group has advanced for one of its members.
    case delivery(ConversationID, MessageID, RecipientDelivery)
    /// A group has changed.
    case group(GroupID, GroupEvent)
    /// A room has changed, or its admission.
    case room(GroupID, RoomEvent)
    /// A part of a file of an incoming message is here, or a part of a file of an outgoing message was sent.
    ///
    /// The file is complete, and on disk, when the count is the total; ``changed(_:)`` with the message follows. A sent
    /// file never reaches the total, because the message's status shows that it has arrived.
    case progress(ConversationID, MessageID, file: Int, byteCount: UInt64, total: UInt64)
    /// A file of an incoming message will not arrive, or not yet.
    case fileFailed(ConversationID, MessageID, file: Int, FileFailure)
    /// A relay forwarded an envelope: everything that it can see of it.
    case relayed(EnvelopeReport)
    /// The node was locked: it has no access to its data until it is unlocked.
    case locked
    /// The node was unlocked.
    case unlocked
    /// The store refuses to write; the node acknowledges nothing until it writes again.
    case storageFailing(reason: String)
    /// A program other than Earshot has changed the stored history; this is everything that was detected so far.
    case historyTampered(HistoryReport)
    /// This subscriber was too slow and missed this number of events; read the history.
    case lagged(dropped: Int)
}

/// The reason why a file of an incoming message will not arrive; programs read the text.
public enum FileFailure: String, Hashable, Codable, Sendable {
    /// This node's user cancelled it.
    case cancelled
    /// It was not complete after seven days.
    case expired
    /// The data directory has no room for further files: the file is fetched when there is room for it within seven
    /// days, and later when the user requests it.
    case noRoom
    /// No peer that could provide it has it any more.
    case gone
}

/// Everything that a relay sees of an envelope.
public struct EnvelopeReport: Hashable, Identifiable, Codable, Sendable {
    /// The content id.
    ///
    /// Shape: 32 hexadecimal digits.
    public let id: String
    /// The envelope's kind as a number.
    public let kind: UInt8
    /// The size of the whole envelope; a message has one of the bucket sizes and 16 bytes of release hash.
    ///
    /// Units: bytes.
    public let byteCount: Int

    /// Makes a report from its parts.
    public init(id: String, kind: UInt8, byteCount: Int) {
        self.id = id
        self.kind = kind
        self.byteCount = byteCount
    }
}
