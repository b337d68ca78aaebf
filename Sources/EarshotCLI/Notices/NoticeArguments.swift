// The imports are public, because the types that become arguments below are.
public import ArgumentParser
public import Earshot

/// The options for desktop notifications of a node's messages.
struct NoticeArguments: ParsableArguments {
    /// The largest number of prepared answers.
    private static let replyCount = 3
    /// Units: characters of a prepared answer, which is the label of a button.
    private static let replyLength = 80

    @Option(
        help: ArgumentHelp(
            "Show desktop notifications by notify-send: with text, with names only, or with neither (hidden).",
            discussion: """
                Other users of the machine can see their content in the list of processes meanwhile. With --web, a \
                click on a notification opens the page at its newest message.
                """,
            valueName: "text|names|hidden"
        )
    )
    var notify: NoticeDetail?

    @Option(
        help: ArgumentHelp(
            "The kinds of events to show; may be given several times. Default: all but requests.",
            valueName: "direct|mention|group|request"
        )
    )
    var notifyAbout: [NoticeKind] = []

    @Option(
        help: ArgumentHelp("An answer for a button of the notification; may be given 3 times.", valueName: "TEXT")
    )
    var notifyReply: [String] = []

    func validate() throws {
        guard notify != nil || notifyAbout.isEmpty && notifyReply.isEmpty else {
            throw ValidationError("--notify-about and --notify-reply need --notify.")
        }
        let lengths = 1...Self.replyLength
        guard notifyReply.count <= Self.replyCount, notifyReply.allSatisfy({ lengths.contains($0.count) }) else {
            throw ValidationError(
                "--notify-reply can be given \(Self.replyCount) times, with 1 to \(Self.replyLength) characters."
            )
        }
    }

    /// Makes the notifier of a node; nil if it is not wanted or not possible.
    func notices(of node: ChatNode, _ console: Console) async throws(ChatError) -> DesktopNotices? {
        guard let notify else { return nil }
        guard let program = NotifySend(replies: notifyReply) else {
            console.complain(
                "notify-send is missing, so no notifications are shown. Install it (Debian: libnotify-bin)."
            )
            return nil
        }
        var settings = NoticeSettings(detail: notify)
        if !notifyAbout.isEmpty { settings.kinds = Set(notifyAbout) }
        return try await DesktopNotices(of: node, by: program, settings, console)
    }
}

extension NoticeDetail: ExpressibleByArgument {}
extension NoticeKind: ExpressibleByArgument {}
