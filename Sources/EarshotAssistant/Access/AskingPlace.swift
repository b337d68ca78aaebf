/// Where somebody asks an assistant.
enum AskingPlace: Equatable, Sendable {
    /// Where nobody else reads it.
    case direct
    case group
    /// In a room that one enters by its code or invite.
    case codeRoom
    /// In a room that everybody enters, or of which nothing else is known.
    case openRoom
}
