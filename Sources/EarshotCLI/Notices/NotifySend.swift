import Earshot
import Foundation

/// The program `notify-send` (libnotify 0.8 or newer), which shows a notice and reports the user's action.
struct NotifySend: Sendable {
    /// The name of the action that marks as read.
    static let readAction = "read"

    /// The name of the action for a click on the notice itself, as the notification specification defines it.
    static let openAction = "default"

    /// The name of the action that only closes the notice.
    private static let dismissAction = "dismiss"

    /// The path of the program.
    let executable: URL
    /// The environment for the program and the notification daemon, without Earshot's own variables.
    let environment: [String: String]
    /// The prepared answers of the user.
    let replies: [String]

    /// Finds the program; nil if it is not installed.
    init?(replies: [String], environment: [String: String] = ProcessInfo.processInfo.environment) {
        let folders = environment["PATH", default: ""].split(separator: ":").filter { $0.hasPrefix("/") }
        let paths = folders.map { "\($0)/notify-send" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
        executable = URL(filePath: path)
        self.environment = environment.filter { !$0.key.hasPrefix("EARSHOT_") }
        self.replies = replies
    }

    /// Makes the arguments for a notice.
    ///
    /// All text from a peer stands after `--`, so that no part of it is an option. There is always an action, because
    /// then the program waits and can withdraw the notice; with its option to wait, it would also wait if nothing can
    /// be shown.
    ///
    /// - Parameter opensPage: Whether there is a page that a click on the notice opens.
    func arguments(for notice: Notice, opensPage: Bool) -> [String] {
        let isRequest = notice.kind == .request
        var arguments = ["--app-name=Earshot", "--category=im.received"]
        arguments.append("--urgency=\(isRequest ? "low" : "normal")")
        if opensPage { arguments.append("--action=\(Self.openAction)=Open") }
        if isRequest {
            arguments.append("--action=\(Self.dismissAction)=Dismiss")
        } else {
            arguments.append("--action=\(Self.readAction)=Mark read")
            for (index, reply) in replies.enumerated() {
                arguments.append("--action=\(Self.replyAction(index))=\(reply)")
            }
        }
        return arguments + ["--", Self.summary(notice.title), Self.body(notice.body)]
    }

    /// Returns the prepared answer of an action.
    func reply(for action: String) -> String? {
        replies.indices.first { Self.replyAction($0) == action }.map { replies[$0] }
    }

    private static func replyAction(_ index: Int) -> String { "reply\(index)" }

    /// Escapes a summary: it is plain text, but some daemons read markup in it, so similar characters replace `<`, `>`,
    /// `&`.
    private static func summary(_ text: String) -> String {
        String(
            text.map { character -> Character in
                switch character {
                case "<": "‹"
                case ">": "›"
                case "&": "＆"
                default: character
                }
            }
        )
    }

    /// Escapes a body: it is markup, and `notify-send` first interprets backslash escapes in it as C does.
    private static func body(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\\": escaped += #"\\"#
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
