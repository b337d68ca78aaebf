import Earshot

/// A message to an assistant.
struct Question: Equatable, Sendable {
    let id: MessageID
    let asker: Asker
    let trust: TrustState
    let text: String
    /// Whether it has something besides a text and pictures.
    var hasFiles = false
    /// Its pictures, which are read only if the model is to see them.
    var offered: [OfferedPicture] = []
    /// The same once they were read.
    var pictures: [Picture] = []
    /// Where it was asked in a room; nil elsewhere.
    var room: AskingPlace?

    /// Where it was asked.
    var place: AskingPlace { room ?? (asker.conversation == .direct(asker.peer) ? .direct : .group) }

    /// Whether its pictures have yet to be read.
    var isUnseen: Bool { pictures.count < offered.count }
}

/// What an assistant is to do, in order.
enum DeskEffect: Equatable, Sendable {
    /// Have the model go on from these messages; what comes of it is of the answer of this number.
    case begin(UInt64, [PromptMessage])
    /// End the request of this answer at once.
    case cancel(UInt64)
    /// Read the pictures of a message, as soon as all are here.
    case look(MessageID)
    /// Send a message that answers another.
    case tell(Asker, String, answering: MessageID)
    /// Turn somebody away, who does not become a contact by it.
    case refuse(Asker, String, answering: MessageID)
    /// Show the asker of a question how far its answer has come.
    case show(Asker, String, answering: MessageID)
    /// Make somebody a contact.
    case welcome(PeerID)
    /// Erase the conversation with somebody.
    case erase(ConversationID)
    /// Note what was decided, and why, without names and texts.
    case note(String)
}
