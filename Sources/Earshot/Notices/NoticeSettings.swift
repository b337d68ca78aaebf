/// What a message is to the user, as far as notices go by it.
public enum NoticeKind: String, Hashable, Sendable, CaseIterable {
    /// It is for the user alone.
    case direct
    /// It is for a group and names the user.
    case mention
    /// It is for a group.
    case group
    /// It comes from a stranger.
    case request
}

/// How much a notice tells to whoever sees the screen.
public enum NoticeDetail: String, Hashable, Sendable, CaseIterable {
    /// Who wrote, and the beginning of the text.
    case text
    /// Who wrote.
    case names
    /// That somebody wrote.
    case hidden
}

/// What the user wants to be told.
public struct NoticeSettings: Hashable, Sendable {
    /// What raises a notice at all; strangers only where the user asks for it.
    public var kinds: Set<NoticeKind>
    /// How much it tells.
    public var detail: NoticeDetail

    /// Makes settings.
    public init(kinds: Set<NoticeKind> = [.direct, .mention, .group], detail: NoticeDetail = .text) {
        self.kinds = kinds
        self.detail = detail
    }
}
