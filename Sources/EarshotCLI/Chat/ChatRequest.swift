import Earshot
import EarshotRPC

/// What the chat asks of the node.
///
/// Messages and conversations are named by their ids.
enum ChatRequest: Equatable, Sendable {
    /// Who is there, and which conversations.
    case refresh
    /// The newest messages of a conversation that a user has named.
    case open(String)
    /// The newest messages of the conversation that is open, for what was missed of it.
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
    /// The safety number with somebody; with it, for a camera, the code of the user's own identity.
    case safetyNumber(String, drawsCode: Bool)
    case verify(String, number: String)
    case trust(String, action: String)
    case rooms
    case createRoom(title: String, seconds: Double?)
    case joinRoom(code: String, name: String?)
    case answerAtDoor(room: String, name: String, admits: Bool)
    case leaveRoom(String)
    case expire(conversation: String, seconds: Double)
    case markRead(String)
    case typing(String)
    /// A person has typed a line.
    case present
    case picture(message: String, index: Int)
    case lock
    case unlock(String)

    /// What a page of newest messages is asked for by.
    var opens: String? {
        switch self {
        case .open(let who), .catchUp(let who): who
        default: nil
        }
    }

    /// Whether the user did not ask for it and need not hear that it failed.
    var isCourtesy: Bool {
        switch self {
        case .refresh, .markRead, .typing, .present, .picture: true
        default: false
        }
    }

    /// Whether it may take long, so that the others go on meanwhile.
    var waits: Bool {
        switch self {
        case .joinRoom, .search, .save, .picture: true
        default: false
        }
    }
}

/// What came of a request.
enum ChatAnswer: Equatable, Sendable {
    case done
    /// A message of this id is on its way.
    case sent(String)
    /// Lines for the user.
    case told([StyledLine])
    case failed(CommandFailure)
    case known(ChatPeople)
    /// A conversation with its newest messages, oldest first.
    case opened(ChatPlace, [MessageReply], ChatPeople)
    case older([MessageReply])
    case found([SearchHitReply])
    /// As the screen takes it.
    case picture([UInt8])
    case unlocked
    case wrongPassphrase(String)
}
