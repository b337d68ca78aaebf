/// The action that a typed line requests.
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
    /// The numbers of the options, from 1 on.
    case vote(Int, [Int])
    case edit(Int, String)
    case delete(Int)
    case file(path: String, text: String)
    case save(Int, folder: String?)
    case search(String)
    case who
    /// A name of the user's own for the person of the open conversation; nil to remove it.
    case name(String?)
    /// The safety number, or its comparison with one that was read out.
    case verify(who: String?, number: String?)
    /// `accept`, `block` or `unblock`.
    case trust(action: String, who: String?)
    case room(RoomAction)
    /// The timer of the open conversation, or its change.
    ///
    /// Units: seconds; 0 for never, nil to show it.
    case expire(Double?)
    case older
    case hide
    case show
    case lock
    case help(HelpTopic)
    case quit

    /// A part of the help.
    enum HelpTopic: Equatable, Sendable {
        case beginning
        case rest
        case command(ChatVerb)
    }

    /// An action on rooms.
    enum RoomAction: Equatable, Sendable {
        case list
        /// Units: seconds, nil for the default.
        case create(title: String, seconds: Double?)
        case join(code: String, name: String?)
        /// The answer to a join request for the open room: `admits` is true to admit the peer, false to reject it.
        case answer(name: String, admits: Bool)
        case leave(title: String)
    }
}

/// The reason why a typed line is not a valid action.
struct ChatMistake: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
