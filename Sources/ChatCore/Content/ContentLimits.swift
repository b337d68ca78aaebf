/// The limits of what people send besides texts and files; PROTOCOL §12 lists them with their reasons.
package enum ContentLimits {
    /// Mentions in one text.
    package static let mentionCount = 12
    /// Units: bytes of UTF-8 in an emoji.
    package static let emojiByteCount = 64
    /// Units: bytes of UTF-8 in a poll's question.
    package static let questionByteCount = 1_024
    /// How many options a poll has.
    package static let optionCounts = 2...12
    /// Units: bytes of UTF-8 in an option.
    package static let optionByteCount = 256
    /// Votes of one member in one poll; the revision of a vote is not above it.
    package static let voteCount = 16
    /// Votes that a poll's end names.
    package static let countedCount = 256
    /// Emoji of one member on one message, those taken away counted in; the oldest makes room.
    package static let reactionCount = 8
    /// Edits of one message that are kept; the oldest makes room.
    package static let editCount = 16
    /// Members whose reactions or votes one message keeps: those with the lowest ids.
    package static let memberCount = 256
    /// Units: seconds of the longest timer (365 days).
    package static let timerSeconds: UInt32 = 31_536_000
    /// How far a setting of the timer by another member may be ahead of the one that is known.
    package static let timerStep: UInt32 = 1_000
    /// Changes that came before their message; the oldest makes room.
    package static let earlyCount = 1_024
    /// Changes of one member that came before their message; its oldest makes room.
    package static let earlyMemberCount = 256
    /// Units: milliseconds that a change waits for its message (7 days).
    package static let earlyAge: UInt64 = 7 * 86_400_000
    /// Messages with a timer; beyond them the one whose time is over first goes at once.
    package static let timerCount = 16_384
    /// How long one sign that somebody is typing holds.
    package static let typingLife = Duration.seconds(6)
    /// The least time between two equal signs to or from a peer.
    package static let typingInterval = Duration.seconds(2)
    /// The least time between a sign and its opposite.
    package static let typingPause = Duration.milliseconds(250)
    /// Peers whose signs of typing are remembered; the oldest makes room.
    package static let typingCount = 64
    /// Units: bytes of a growing answer that one datagram shows, its end.
    package static let growingPartByteCount = 1_000
    /// Members of a group that a growing answer is shown to, who asked among them.
    package static let growingViewerCount = 8
    /// Growing answers that are put together; the one that grew longest ago makes room.
    package static let growingCount = 16
}
