/// The kind of a message, as notices distinguish it.
public enum NoticeKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// It is for the user alone.
    case direct
    /// It is for a group and names the user.
    case mention
    /// It is for a group.
    case group
    /// It comes from an unknown peer.
    case request
}

/// The detail of a notice, which everyone who sees the screen can read.
public enum NoticeDetail: String, Hashable, Codable, Sendable, CaseIterable {
    /// The sender, and the beginning of the text.
    case text
    /// The sender.
    case names
    /// Only that a message came.
    case hidden
}

/// The user's settings of notices.
public struct NoticeSettings: Hashable, Codable, Sendable {
    /// The kinds of messages that raise a notice; by default those of unknown peers do not.
    public var kinds: Set<NoticeKind>
    /// The detail of the notices.
    public var detail: NoticeDetail

    /// Makes settings.
    public init(kinds: Set<NoticeKind> = [.direct, .mention, .group], detail: NoticeDetail = .text) {
        self.kinds = kinds
        self.detail = detail
    }
}
