/// Why a change of a message was ignored; the text is what monitoring programs read.
package enum ChangeRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Only the author edits and deletes a message and ends a poll.
    case notAuthor
    /// Its sender is no member of the conversation.
    case notMember
    /// The message stands in another conversation.
    case elsewhere
    /// What it would change is no text.
    case notText
    /// What it would change is no poll.
    case notPoll
    /// The poll has no such option.
    case noSuchOption
    /// The poll lets its members choose one option alone.
    case tooManyOptions
    /// The poll was closed without it.
    case lateVote
    /// Too many changes wait for their messages.
    case crowded
}
