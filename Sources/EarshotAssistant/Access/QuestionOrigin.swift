/// The kind of conversation in which a peer asks an assistant.
enum QuestionOrigin: Equatable, Sendable {
    /// A direct conversation, which no other peer reads.
    case direct
    case group
    /// A room that is entered by its code or an invite.
    case codeRoom
    /// A room that everybody may enter, or one whose admission is not known.
    case openRoom
}
