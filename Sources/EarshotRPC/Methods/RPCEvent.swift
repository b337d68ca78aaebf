import ChatCrypto
package import Earshot

/// An event on the wire.
package indirect enum RPCEvent: Hashable, Sendable {
    /// The node is ready; this is the first line of the standard streams.
    case ready(id: String, name: String)
    /// A link came up; the number of links is given.
    case linkUp(links: Int)
    /// A link ended; the number of remaining links is given.
    case linkDown(links: Int)
    /// A contact is new or has changed.
    case contact(ContactReply)
    /// The trust in a peer changed.
    case trust(TrustReply)
    /// The settings or the read state of a conversation changed.
    case conversation(ConversationReply)
    /// A message arrived or was sent.
    case message(MessageReply)
    /// A message changed; the event holds its present state.
    case changed(MessageReply)
    /// A message was removed from this node.
    case removed(conversation: String, message: String)
    /// A peer types, for the next six seconds, or has stopped.
    case typing(conversation: String, by: String, active: Bool)
    /// A streaming reply to a message; the event holds the whole text so far.
    case token(conversation: String, by: String, message: String, text: String)
    /// The status of an outgoing message changed.
    case status(message: String, status: String, reason: String?)
    /// The status of an outgoing group message changed for one member; a `status` with `by` on the wire.
    case delivery(message: String, status: String, by: String, reason: String?)
    /// A group changed.
    case group(GroupEventReply)
    /// A room or its admission changed.
    case room(RoomEventReply)
    /// The number of bytes of an incoming message's attachment that arrived, or of an outgoing one's that were sent.
    case progress(message: String, index: Int, byteCount: Int, total: Int)
    /// An attachment of an incoming message will not arrive.
    case fileFailed(message: String, index: Int, reason: String)
    /// This node, which is a pure relay, received an envelope to forward.
    case envelope(id: String, kind: Int, byteCount: Int)
    /// A conversation was erased completely on this node.
    case erased(conversation: String)
    /// The node was locked.
    case locked
    /// The node was unlocked.
    case unlocked
    /// The store refuses to write.
    case storage(reason: String)
    /// A program other than Earshot has changed the stored data.
    case historyTampered(HistoryReportReply)
    /// The client was too slow and missed this number of events.
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
                .removed(conversation: conversation.hex, message: message.description)
            case .typing(let conversation, let peer, let isTyping):
                .typing(conversation: conversation.hex, by: peer.description, active: isTyping)
            case .streamingReply(let conversation, let peer, let question, let text):
                .streamingReply(text, answering: question, in: conversation, by: peer)
            case .status(_, let message, let status):
                .status(message: message.description, status: status.name, reason: status.failureName)
            case .delivery(_, let message, let delivery):
                .delivery(
                    message: message.description,
                    status: delivery.status.name,
                    by: delivery.recipient.description,
                    reason: delivery.status.failureName
                )
            case .group(let group, let event): .group(GroupEventReply(group, event))
            case .room(let room, let event): .room(RoomEventReply(room, event))
            case .progress(_, let message, let file, let byteCount, let total):
                .progress(
                    message: message.description,
                    index: file,
                    byteCount: Int(clamping: byteCount),
                    total: Int(clamping: total)
                )
            case .fileFailed(_, let message, let file, let reason):
                .fileFailed(message: message.description, index: file, reason: reason.rawValue)
            case .relayed(let report):
                .envelope(id: report.id, kind: Int(report.kind), byteCount: report.byteCount)
            case .erased(let conversation): .erased(conversation: conversation.hex)
            case .locked: .locked
            case .unlocked: .unlocked
            case .storageFailing(let reason): .storage(reason: reason)
            case .historyTampered(let report): .historyTampered(HistoryReportReply(report))
            case .lagged(let dropped): .lagged(dropped: dropped)
            }
    }

    private static func streamingReply(
        _ text: String,
        answering question: MessageID,
        in conversation: ConversationID,
        by peer: PeerID
    ) -> RPCEvent {
        .token(conversation: conversation.hex, by: peer.description, message: question.description, text: text)
    }
}
