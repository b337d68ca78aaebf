import ChatCrypto
package import Earshot

/// An event on the wire.
package indirect enum RPCEvent: Hashable, Sendable {
    /// The node is ready; the first line of the standard streams.
    case ready(id: String, name: String)
    /// A link came up; so many are up.
    case linkUp(links: Int)
    /// A link ended; so many are up.
    case linkDown(links: Int)
    /// A contact is new or has changed.
    case contact(ContactReply)
    /// Something happened to the trust in a peer.
    case trust(TrustReply)
    /// A conversation was looked at, muted or unmuted.
    case conversation(ConversationReply)
    /// A message came or went.
    case message(MessageReply)
    /// Something was done to a message; here is how it stands.
    case changed(MessageReply)
    /// A message is gone from this node.
    case removed(conversation: String, message: String)
    /// A peer types, for the next six seconds, or has stopped.
    case typing(conversation: String, by: String, active: Bool)
    /// A streaming reply to a message; all that is known of it so far.
    case token(conversation: String, by: String, message: String, text: String)
    /// An outgoing message has come further.
    case status(message: String, status: String, reason: String?)
    /// An outgoing message to a group has come further, to this member; a `status` with `by` on the wire.
    case delivery(message: String, status: String, by: String, reason: String?)
    /// Something happened in a group.
    case group(GroupEventReply)
    /// Something happened in a room, or at its door.
    case room(RoomEventReply)
    /// So much of a file of an incoming message is here, or of an outgoing one was sent.
    case progress(message: String, index: Int, byteCount: Int, total: Int)
    /// A file of an incoming message will not come.
    case fileFailed(message: String, index: Int, reason: String)
    /// A relay passed an envelope on.
    case envelope(id: String, kind: Int, byteCount: Int)
    /// All of a conversation was erased on this node.
    case erased(conversation: String)
    /// The node was locked.
    case locked
    /// The node was unlocked.
    case unlocked
    /// The store refuses to write.
    case storage(reason: String)
    /// Something other than Earshot has changed what is kept.
    case historyTampered(HistoryReportReply)
    /// The client was too slow and missed so many events.
    case lagged(dropped: Int)

    package init(_ event: ChatEvent) {
        self =
            switch event {
            case .linkUp(let count): .linkUp(links: count)
            case .linkDown(let count): .linkDown(links: count)
            case .contact(let contact): .contact(ContactReply(contact))
            case .trust(let trust): .trust(TrustReply(trust))
            case .conversation(let conversation): .conversation(ConversationReply(conversation))
            case .message(let message): .message(MessageReply(message))
            case .changed(let message): .changed(MessageReply(message))
            case .removed(let conversation, let message):
                .removed(conversation: conversation.description, message: message.description)
            case .typing(let conversation, let peer, let isTyping):
                .typing(conversation: conversation.description, by: peer.description, active: isTyping)
            case .growing(let conversation, let peer, let question, let text):
                .growing(text, answering: question, in: conversation, by: peer)
            case .status(let message, let status):
                .status(message: message.description, status: status.name, reason: status.failureName)
            case .delivery(let message, let delivery):
                .delivery(
                    message: message.description,
                    status: delivery.status.name,
                    by: delivery.member.description,
                    reason: delivery.status.failureName
                )
            case .group(let group, let event): .group(GroupEventReply(group, event))
            case .room(let room, let event): .room(RoomEventReply(room, event))
            case .progress(let message, let file, let byteCount, let total):
                .progress(
                    message: message.description,
                    index: file,
                    byteCount: Int(clamping: byteCount),
                    total: Int(clamping: total)
                )
            case .fileFailed(let message, let file, let reason):
                .fileFailed(message: message.description, index: file, reason: reason.rawValue)
            case .relayed(let report):
                .envelope(id: report.id, kind: Int(report.kind), byteCount: report.byteCount)
            case .erased(let conversation): .erased(conversation: conversation.description)
            case .locked: .locked
            case .unlocked: .unlocked
            case .storageFailing(let reason): .storage(reason: reason)
            case .historyTampered(let report): .historyTampered(HistoryReportReply(report))
            case .lagged(let dropped): .lagged(dropped: dropped)
            }
    }

    private static func growing(
        _ text: String,
        answering question: MessageID,
        in conversation: ConversationID,
        by peer: PeerID
    ) -> RPCEvent {
        .token(conversation: conversation.description, by: peer.description, message: question.description, text: text)
    }
}
