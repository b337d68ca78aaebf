import Earshot

/// A message to an assistant.
struct Question: Equatable, Sendable {
    let id: MessageID
    let asker: Asker
    let trust: TrustState
    let text: String
    /// Whether the message has anything besides text and pictures.
    var hasFiles = false
    /// The pictures of the message, which are read only if the model may see them.
    var offered: [OfferedPicture] = []
    /// The same pictures, once they are read.
    var pictures: [Picture] = []
    /// The kind of room in which it was asked; nil outside rooms.
    var room: QuestionOrigin?

    /// The kind of conversation in which it was asked.
    var place: QuestionOrigin { room ?? (asker.conversation == .direct(asker.peer) ? .direct : .group) }

    /// Whether some of its pictures are still unread.
    var isUnseen: Bool { pictures.count < offered.count }
}

/// An effect that the assistant carries out, in order.
enum AnswerEffect: Equatable, Sendable {
    /// A request that the model continue these messages; its events belong to the answer with this number.
    case begin(UInt64, [PromptMessage])
    /// The immediate cancellation of this answer's request.
    case cancel(UInt64)
    /// The reading of a message's pictures, as soon as all of them are here.
    case loadPictures(MessageID)
    /// A message that replies to another.
    case reply(Asker, String, answering: MessageID)
    /// A refusal for an asker, which does not make them a contact.
    case refuse(Asker, String, answering: MessageID)
    /// The present text of an answer in progress, shown to the asker of the question.
    case show(Asker, String, answering: MessageID)
    /// The acceptance of a peer as a contact.
    case welcome(PeerID)
    /// The erasure of the conversation with a peer.
    case erase(ConversationID)
    /// A log line with a decision and its reason, without names and texts.
    case note(String)
}
