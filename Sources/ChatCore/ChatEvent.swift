public import ChatCrypto

/// What a node tells its subscribers; an event is sent only after what it tells is durable.
///
/// Indirect, so that what it tells lies in memory of its own, gone with the last who holds the event: the queues of the
/// standard library leave in place what they handed out, and of a short text that is the text itself.
public indirect enum ChatEvent: Hashable, Sendable {
    /// A link to a neighbour came up; the count is of links now.
    case linkUp(count: Int)
    /// A link to a neighbour ended; the count is of links now.
    case linkDown(count: Int)
    /// A contact is new or has changed.
    case contact(Contact)
    /// Something happened to the trust in a peer.
    case trust(TrustEvent)
    /// A conversation was looked at, muted or unmuted.
    case conversation(Conversation)
    /// A message came, or this node's user sent one.
    case message(Message)
    /// Something was done to a message: a reaction, an edit, a vote, its end; here is how it stands.
    case changed(Message)
    /// A message is gone from this node: its time was over, or this node's user deleted it here.
    case removed(ConversationID, MessageID)
    /// This node's user has erased all of a conversation here.
    case erased(ConversationID)
    /// Somebody types, for the next six seconds, or has stopped.
    case typing(ConversationID, by: PeerID, isTyping: Bool)
    /// A contact, or somebody in a room, makes an answer to a message, in a group or room to anybody's; all that is known of
    /// it so far, until the message itself comes in its place.
    case growing(ConversationID, by: PeerID, answering: MessageID, text: String)
    /// An outgoing message has come further.
    case status(MessageID, DeliveryStatus)
    /// An outgoing message to a group has come further, to one of its members.
    case delivery(MessageID, GroupDelivery)
    /// Something happened in a group.
    case group(GroupID, GroupEvent)
    /// Something happened in a room, or at its door.
    case room(GroupID, RoomEvent)
    /// So much of a file of an incoming message is here, or of an outgoing one was sent.
    ///
    /// It is whole, and on disk, when the count is the total; what was sent never gets there, for the message's status
    /// tells that it has arrived.
    case progress(MessageID, file: Int, byteCount: UInt64, total: UInt64)
    /// A file of an incoming message will not come, or not yet.
    case fileFailed(MessageID, file: Int, FileFailure)
    /// A relay passed an envelope on: all that it can see of it.
    case relayed(EnvelopeReport)
    /// The node was locked: it knows nobody until it is unlocked.
    case locked
    /// The node was unlocked.
    case unlocked
    /// The store refuses to write; nothing is acknowledged until it does again.
    case storageFailing(reason: String)
    /// Something other than Earshot has changed what is kept; all that was noticed so far.
    case historyTampered(HistoryReport)
    /// This subscriber was too slow and missed so many events; ask for history.
    case lagged(dropped: Int)
}

/// Why a file of an incoming message will not come; the text is what programs read.
public enum FileFailure: String, Hashable, Sendable {
    /// This node's user did not want it.
    case cancelled
    /// It was not whole after seven days.
    case expired
    /// The home holds as many files as it may: the file is fetched when there is room for it within seven days, and later
    /// when the user asks for it.
    case noRoom
    /// Nobody has it any more who could give it.
    case gone
}

/// All that a relay sees of an envelope.
public struct EnvelopeReport: Hashable, Sendable {
    /// Shape: 32 hexadecimal digits of the content id.
    public let id: String
    /// The envelope's kind by number.
    public let kind: UInt8
    /// Units: bytes of the whole envelope; a message has one of the bucket sizes and 16 bytes of release hash.
    public let byteCount: Int

    /// Makes one of its parts.
    package init(id: String, kind: UInt8, byteCount: Int) {
        self.id = id
        self.kind = kind
        self.byteCount = byteCount
    }
}
