import ChatCore

/// The limits of notices; PROTOCOL §12 lists them with their reasons.
package enum NoticeLimits {
    /// Conversations that are remembered, and so notices on a screen at once; the longest unchanged makes room.
    package static let topicCount = 16
    /// Notices raised within any ``showWindow``; messages beyond it wait, and are then included in the count.
    package static let showCount = 6
    /// The window of ``showCount``.
    package static let showWindow = Duration.seconds(30)
    /// The least time between two notices of one conversation.
    package static let conversationInterval = Duration.seconds(3)
    /// The least time between two notices of unknown peers, whichever peers they are.
    package static let requestInterval = Duration.seconds(600)
    /// Unknown peers that a notice counts.
    package static let requestCount = ChatLimits.requestCount
    /// The time for which a notice stays if nobody closes it.
    package static let noticeAge = Duration.seconds(86_400)
    /// Units: Unicode scalars of a name in a notice.
    package static let nameLength = 40
    /// Units: Unicode scalars of a text in a notice.
    package static let textLength = 200
    /// Marks on one letter, and other scalars that are no letters, that are shown one after the other.
    package static let markCount = 4
}
