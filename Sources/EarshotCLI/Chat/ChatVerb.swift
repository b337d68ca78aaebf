/// A command of the chat, typed after a `/`.
enum ChatVerb: String, CaseIterable, Sendable {
    case dm, reply, react, poll, vote, edit, delete, file, save, search, more, who, verify, trust, room, expire
    case hide, show, lock, help, quit

    /// The kind of a word after the command.
    enum Word: Equatable, Sendable {
        case person
        case emoji
        case path
        case oneOf([String])
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
        case .verify: "[WHO] [NUMBER]"
        case .trust: "accept|block|unblock [WHO]"
        case .room: "[create|join|admit|…]"
        case .expire: "TIME|off"
        case .more, .who, .hide, .show, .lock, .help, .quit: ""
        }
    }

    /// The summary for `/help`.
    var summary: String {
        switch self {
        case .dm: "open a conversation: a name, group:TITLE or room:TITLE"
        case .reply: "reply to message N"
        case .react: "add an emoji to message N, or remove it; :names: work"
        case .poll: "create a poll with 2 to 12 choices, or close your poll N"
        case .vote: "vote in poll N by the numbers of its choices; none withdraws the vote"
        case .edit: "replace the text of your message N"
        case .delete: "delete your message N for everyone, or another message only here"
        case .file: "send a file; metadata is stripped from pictures"
        case .save: "save the attachments of message N, here or in a folder"
        case .search: "search this conversation"
        case .more: "show older messages"
        case .who: "list people and conversations"
        case .verify: "show your safety number and code, or compare the number that they read out"
        case .trust: "accept, block or unblock a peer"
        case .room: "list rooms; create TITLE [TIME], join CODE [NAME], admit NAME, refuse NAME, leave TITLE"
        case .expire: "let new messages disappear TIME after they are read: 30s, 5m, 1h"
        case .hide: "clear the screen and hide messages until /show"
        case .show: "show the conversation again"
        case .lock: "lock the node until you type the passphrase"
        case .help: "show this help"
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
        default: nil
        }
    }
}
