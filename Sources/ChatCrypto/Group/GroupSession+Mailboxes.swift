/// The mailboxes in which all members of a group find its mail, a new one for each epoch and day.
///
/// A removed member cannot compute those of the next epoch. Source: PROTOCOL §19.
extension GroupSession {
    /// The most epochs whose mailboxes one member reads.
    static let mailboxEpochCount = 8
    /// The days after the end of an epoch on which its mail may still come.
    static let mailboxEpochDays: UInt32 = 2

    /// Returns the mailbox of an epoch on a day; nil if the epoch's keys are erased.
    package func mailbox(of epoch: UInt32, on day: UInt32) -> MailboxKey? {
        epochs.first { $0.number == epoch }.map { MailboxKey(of: id, headerKey: $0.headerKey, day: day) }
    }

    /// Returns the mailbox with a tag on a day; nil if no epoch has it.
    func mailbox(_ tag: MailboxTag, on day: UInt32) -> MailboxKey? {
        epochs.lazy.map { MailboxKey(of: id, headerKey: $0.headerKey, day: day) }.first { $0.tag == tag }
    }

    /// Returns the tags under which mail of a day may lie: of the epoch of that day, and of those shortly before.
    func mailboxTags(on day: UInt32) -> [MailboxTag] {
        let readable = epochs.filter { epoch in
            epoch.endedAt.map { Mailboxes.day(at: $0).addingClamped(Self.mailboxEpochDays) >= day } ?? true
        }
        return readable.suffix(Self.mailboxEpochCount).map { MailboxTag(of: id, headerKey: $0.headerKey, day: day) }
    }
}

extension GroupTable {
    /// Returns the tags of a day of all groups, those of the group that was used last first.
    package func mailboxTags(on day: UInt32) -> [MailboxTag] { sessions.flatMap { $0.mailboxTags(on: day) } }

    /// Returns the mailbox with a tag on a day; nil if no group has it.
    package func mailbox(_ tag: MailboxTag, on day: UInt32) -> MailboxKey? {
        sessions.lazy.compactMap { $0.mailbox(tag, on: day) }.first
    }

    /// A number that changes when an epoch begins, or a group comes or goes.
    package var mailboxVersion: UInt64 { sessions.reduce(0) { $0 &+ 1 &+ UInt64($1.log.epoch) << 16 } }
}
