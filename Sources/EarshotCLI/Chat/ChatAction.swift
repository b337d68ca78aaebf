/// What a typed line asks for.
///
/// Messages are named by the numbers beside them.
enum ChatAction: Equatable, Sendable {
    case nothing
    case say(String)
    case open(String)
    case reply(Int, String)
    case react(Int, String)
    case poll(question: String, options: [String])
    case closePoll(Int)
    /// The options from 1 on.
    case vote(Int, [Int])
    case edit(Int, String)
    case delete(Int)
    case file(path: String, text: String)
    case save(Int, folder: String?)
    case search(String)
    case who
    /// The safety number, or its comparison with one that was read out.
    case verify(who: String?, number: String?)
    /// `accept`, `block` or `unblock`.
    case trust(action: String, who: String?)
    case room(RoomAction)
    /// Units: seconds; 0 for never.
    case expire(Double)
    case older
    case hide
    case show
    case lock
    case help
    case quit

    /// What can be done with rooms.
    enum RoomAction: Equatable, Sendable {
        case list
        /// Units: seconds, nil for the usual time.
        case create(title: String, seconds: Double?)
        case join(code: String, name: String?)
        /// Whether somebody at the door of the room that is open comes in.
        case answer(name: String, admits: Bool)
        case leave(title: String)
    }
}

/// Why a typed line asks for nothing that can be done.
struct ChatMistake: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
