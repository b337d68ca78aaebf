/// The reason for ignoring a change of a message; monitoring programs read the text.
package enum ChangeRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Only the author edits and deletes a message and ends a poll.
    case notAuthor
    /// The sender is no member of the conversation.
    case notMember
    /// The message is in another conversation.
    case elsewhere
    /// The message to change is no text.
    case notText
    /// The message to change is no poll.
    case notPoll
    /// The poll has no such option.
    case noSuchOption
    /// The poll allows one option only.
    case tooManyOptions
    /// The poll was closed without this vote.
    case lateVote
    /// Too many changes wait for their messages.
    case crowded
}
