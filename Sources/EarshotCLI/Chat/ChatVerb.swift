/// A command of the chat, typed after a `/`.
enum ChatVerb: String, CaseIterable, Sendable {
    case dm, file, save, search, more
    case reply, react, edit, delete, poll, vote
    case who, name, verify, trust, room, expire
    case hide, show, lock, help, quit

    /// A group of commands in the help.
    enum Group: String, CaseIterable, Sendable {
        case conversations = "Conversations"
        case messages = "Messages"
        case people = "People and rooms"
        case screen = "Screen"
    }

    /// The kind of a word after the command.
    enum Word: Equatable, Sendable {
        case person
        case emoji
        case path
        case oneOf([String])
    }

    /// The group in the help.
    var group: Group {
        switch self {
        case .dm, .file, .save, .search, .more: .conversations
        case .reply, .react, .edit, .delete, .poll, .vote: .messages
        case .who, .name, .verify, .trust, .room, .expire: .people
        case .hide, .show, .lock, .help, .quit: .screen
        }
    }

    /// The arguments.
    var usage: String {
        switch self {
        case .dm: "WHO"
        case .reply: "N TEXT"
        case .react: "N EMOJI"
        case .poll: "QUESTION | A | B …, or close N"
        case .vote: "N CHOICE…"
        case .edit: "N TEXT"
        case .delete: "N"
        case .file: "PATH [| TEXT]"
        case .save: "N [FOLDER]"
        case .search: "WORDS"
        case .name: "NAME|off"
        case .verify: "[WHO] [NUMBER]"
        case .trust: "accept|block|unblock [WHO]"
        case .room: "[create|join|admit|…]"
        case .expire: "[TIME|off]"
        case .help: "[more|COMMAND]"
        case .more, .who, .hide, .show, .lock, .quit: ""
        }
    }

    /// The summary for `/help`.
    var summary: String {
        switch self {
        case .dm: "open a conversation: a name, group:TITLE, room:TITLE"
        case .reply: "reply to message N"
        case .react: "add or remove an emoji; names such as :tea: work"
        case .poll: "create a poll with 2 to 12 choices, or close yours"
        case .vote: "vote by the numbers of choices; none to withdraw"
        case .edit: "replace the text of your message N"
        case .delete: "delete yours for everyone, another only here"
        case .file: "send a file; pictures lose their metadata"
        case .save: "save the attachments of message N"
        case .search: "search this conversation"
        case .more: "show older messages"
        case .who: "list people and conversations"
        case .name: "show this person by a name of your own; off for their nickname"
        case .verify: "show your safety number, or compare the one that they read out"
        case .trust: "accept, block or unblock a peer"
        case .room: "list rooms; create TITLE [TIME], join CODE [NAME], admit NAME, refuse NAME, leave TITLE"
        case .expire: "show the timer, or let new messages disappear TIME after they are read: 30s, 5m, 1h"
        case .hide: "clear the screen and hide messages until /show"
        case .show: "show the conversation again"
        case .lock: "lock the node until you type the passphrase"
        case .help: "show the help, more of it, or that of one command"
        case .quit: "end the chat, like Ctrl-D"
        }
    }

    /// Returns the kind of the word at a position; nil if any word may stand there.
    ///
    /// - Parameter place: The position after the command, from 1 on.
    func word(at place: Int) -> Word? {
        switch (self, place) {
        case (.dm, _): .person
        case (.react, 2): .emoji
        case (.file, _), (.save, 2): .path
        case (.verify, 1), (.trust, 2): .person
        case (.trust, 1): .oneOf(["accept", "block", "unblock"])
        case (.room, 1): .oneOf(["admit", "create", "join", "leave", "refuse"])
        case (.expire, 1): .oneOf(["1h", "30s", "5m", "off"])
        case (.help, 1): .oneOf(Self.allCases.map(\.rawValue).sorted())
        default: nil
        }
    }
}
