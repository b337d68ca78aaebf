import Earshot
import Foundation

/// The program `notify-send` (libnotify 0.8 or newer), which shows a notice and tells what the user does with it.
struct NotifySend: Sendable {
    /// The name of the action that marks as read.
    static let readAction = "read"

    /// The name of what a click on the notice itself does, by the specification of notices.
    static let openAction = "default"

    /// The name of the action that does nothing more than closing.
    private static let dismissAction = "dismiss"

    /// The program.
    let executable: URL
    /// What it and the notification daemon need; nothing of Earshot's own.
    let environment: [String: String]
    /// Answers that the user wants to have at hand.
    let replies: [String]

    /// Finds the program; nil where there is none.
    init?(replies: [String], environment: [String: String] = ProcessInfo.processInfo.environment) {
        let folders = environment["PATH", default: ""].split(separator: ":").filter { $0.hasPrefix("/") }
        let paths = folders.map { "\($0)/notify-send" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
        executable = URL(filePath: path)
        self.environment = environment.filter { !$0.key.hasPrefix("EARSHOT_") }
        self.replies = replies
    }

    /// What the program is called with for a notice.
    ///
    /// All that a peer chose stands behind `--`, so that nothing of it is an option. There is always an action, for then
    /// the program waits and can take the notice away; told to wait, it would also do so where nothing can be shown.
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

    /// The answer that an action stands for.
    func reply(for action: String) -> String? {
        replies.indices.first { Self.replyAction($0) == action }.map { replies[$0] }
    }

    private static func replyAction(_ index: Int) -> String { "reply\(index)" }

    /// A summary is plain, but some daemons read markup in it all the same: what looks like it gets a double.
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

    /// A body is markup, and `notify-send` first reads what stands behind a backslash in it as C does.
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
