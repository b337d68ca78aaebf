import Earshot
import EarshotRPC

/// A request of the chat to the node.
///
/// Messages and conversations are named by their ids.
enum ChatRequest: Equatable, Sendable {
    /// The contacts and the conversations.
    case refresh
    /// The newest messages of a conversation that a user named.
    case open(String)
    /// The newest messages of the open conversation, after events were missed.
    case catchUp(String)
    case older(conversation: String, before: String)
    case say(String, to: String, replyTo: String?)
    case file(path: String, text: String, to: String)
    case react(String, emoji: String)
    case poll(question: String, options: [String], to: String)
    case closePoll(String)
    case vote(String, [Int])
    case edit(String, String)
    case delete(String, forEveryone: Bool)
    case save(String, fileCount: Int, folder: String?)
    case search(String, conversation: String)
    case who
    /// The safety number with a peer and, for a camera, the code of the user's own identity.
    case safetyNumber(String, drawsCode: Bool)
    case verify(String, number: String)
    case trust(String, action: String)
    /// A name of the user's own for a peer; nil to remove it.
    case name(String, String?)
    case rooms
    case createRoom(title: String, seconds: Double?)
    case joinRoom(code: String, name: String?)
    case answerApplicant(room: String, name: String, admits: Bool)
    case leaveRoom(String)
    case expire(conversation: String, seconds: Double)
    case markRead(String)
    case typing(String)
    /// The presence of the user, who typed a line.
    case present
    case picture(message: String, index: Int)
    case lock
    case unlock(String)

    /// The name by which a page of newest messages is requested; nil for other requests.
    var opens: String? {
        switch self {
        case .open(let who), .catchUp(let who): who
        default: nil
        }
    }

    /// Whether the chat makes the request on its own, so that a failure is not shown.
    var isCourtesy: Bool {
        switch self {
        case .refresh, .markRead, .typing, .present, .picture: true
        default: false
        }
    }

    /// Whether it may take long, so that other requests are carried out in the meantime.
    var waits: Bool {
        switch self {
        case .joinRoom, .search, .save, .picture: true
        default: false
        }
    }
}

/// The outcome of a request.
enum ChatAnswer: Equatable, Sendable {
    case done
    /// The message with this id is queued.
    case sent(String)
    /// Lines for the user.
    case reported([StyledLine])
    case failed(CommandFailure)
    case known(ChatPeople)
    /// A conversation with its newest messages, oldest first.
    case opened(ChatConversation, [MessageReply], ChatPeople)
    case older([MessageReply])
    case found([SearchHitReply])
    /// A picture in the form that the screen shows.
    case picture([UInt8])
    case unlocked
    case wrongPassphrase(String)
}
