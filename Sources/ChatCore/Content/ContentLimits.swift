/// The limits of content other than texts and files; PROTOCOL §12 lists them with their reasons.
package enum ContentLimits {
    /// The most mentions in one text.
    package static let mentionCount = 12
    /// The longest emoji.
    ///
    /// Units: bytes of UTF-8.
    package static let emojiByteCount = 64
    /// The longest question of a poll.
    ///
    /// Units: bytes of UTF-8.
    package static let questionByteCount = 1_024
    /// The allowed numbers of options in a poll.
    package static let optionCounts = 2...12
    /// The longest option.
    ///
    /// Units: bytes of UTF-8.
    package static let optionByteCount = 256
    /// The most votes of one member in one poll; the revision of a vote does not exceed it.
    package static let voteCount = 16
    /// The most votes that a poll's end names.
    package static let countedCount = 256
    /// The most emoji of one member on one message, including removed ones; the oldest makes room.
    package static let reactionCount = 8
    /// The most edits of one message that are kept; the oldest makes room.
    package static let editCount = 16
    /// The most members whose reactions or votes one message keeps: those with the lowest ids.
    package static let memberCount = 256
    /// The longest disappearing-messages timer (365 days).
    ///
    /// Units: seconds.
    package static let timerSeconds: UInt32 = 31_536_000
    /// The greatest step of the timer's revision that another member's setting may take beyond the known one.
    package static let timerStep: UInt32 = 1_000
    /// The most pending changes, which arrived before their message; the oldest makes room.
    package static let pendingChangeCount = 1_024
    /// The most pending changes of one member; the member's oldest makes room.
    package static let pendingChangeMemberCount = 256
    /// The time for which a change waits for its message (7 days).
    ///
    /// Units: milliseconds.
    package static let pendingChangeAge: UInt64 = 7 * 86_400_000
    /// The most messages with a timer; beyond them the message that expires first is removed at once.
    package static let timerCount = 16_384
    /// The time for which one typing indicator holds.
    package static let typingLife = Duration.seconds(6)
    /// The least time between two equal typing indicators to or from a peer.
    package static let typingInterval = Duration.seconds(2)
    /// The least time between a typing indicator and its opposite.
    package static let typingPause = Duration.milliseconds(250)
    /// The most peers whose typing indicators are remembered; the oldest makes room.
    package static let typingCount = 64
    /// The part of a streaming reply that one datagram shows: its end.
    ///
    /// Units: bytes.
    package static let streamingReplyPartByteCount = 1_000
    /// The most members of a group who see a streaming reply, including the member who asked.
    package static let streamingReplyViewerCount = 8
    /// The most streaming replies that are assembled; the one that grew longest ago makes room.
    package static let streamingReplyCount = 16
}
