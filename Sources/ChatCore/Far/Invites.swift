import ChatCrypto

/// The invites of this node: those by which others may write to its user for the first time, and those that the user has
/// followed.
///
/// Source: PROTOCOL §19.
struct Invites: Sendable {
    static let recordName = Array("invites".utf8)

    private(set) var all: [MailboxInvite] = []
    /// The mailboxes that have the present prekey bundle, whose sequence is the other field.
    private var filled: (sequence: UInt32, tags: Set<MailboxTag>) = (0, [])

    /// The number of own invites.
    var ownCount: Int { all.count { $0.isOwn } }

    /// Restores the stored invites; a record that cannot be read counts as none.
    mutating func restore(_ record: SecretBytes) { all = MailboxInvite.decode(record) ?? [] }

    /// Returns whether the user has followed an invite of a peer who has not answered yet.
    func isFollowed(_ peer: PeerID) -> Bool { all.contains { !$0.isOwn && $0.owner == peer } }

    /// Returns the tags under which mail for this node may lie on a day.
    func incomingTags(on day: UInt32) -> [MailboxTag] { all.compactMap { $0.mailboxes.incoming.tag(of: day) } }

    /// Returns the mailboxes in which a peer whose invites were followed reads.
    func outgoing(to peer: PeerID) -> [MailboxChain] {
        all.filter { !$0.isOwn && $0.owner == peer }.map(\.mailboxes.outgoing)
    }

    /// Adds an invite; returns whether it is new.
    ///
    /// - Throws: `limited` if there are too many.
    mutating func add(_ invite: MailboxInvite) throws(ChatError) -> Bool {
        guard !all.contains(where: invite.isSame) else { return false }
        let limit = invite.isOwn ? FarLimits.ownInviteCount : FarLimits.followedInviteCount
        guard all.count(where: { $0.isOwn == invite.isOwn }) < limit else {
            throw ChatError(
                .limited,
                invite.isOwn
                    ? "You have \(limit) invites already. Each ends after 90 days; 'identity --end-far' ends all now."
                    : "\(limit) people have not answered your first messages yet. Wait until some have."
            )
        }
        all.append(invite)
        return true
    }

    /// Ends all own invites; returns their number.
    mutating func endOwn() -> Int {
        defer { all.removeAll { $0.isOwn } }
        return ownCount
    }

    /// Ends the invites of a peer, who has answered; returns whether there were some.
    mutating func endFollowed(of peer: PeerID) -> Bool {
        let count = all.count
        all.removeAll { !$0.isOwn && $0.owner == peer }
        return all.count < count
    }

    /// Forgets the invites that have ended, and the keys of past days; returns whether there were some.
    mutating func forgetPast(on day: UInt32) -> Bool {
        let count = all.count
        // Mail of the last days may still lie there.
        all.removeAll { $0.endDay.addingClamped(Mailboxes.readingDays) <= day }
        var isChange = all.count < count
        for place in all.indices where all[place].forgetPast(on: day) { isChange = true }
        return isChange
    }

    /// Returns the mailboxes that lack the present prekey bundle, and counts them as filled.
    ///
    /// - Parameter isWrittenTo: Whether there is mail for the owner of an invite that was followed.
    mutating func takeUnfilled(
        by bundle: PrekeyBundle,
        on day: UInt32,
        isWrittenTo: (PeerID) -> Bool
    ) -> [MailboxKey] {
        if filled.sequence != bundle.sequence { filled = (bundle.sequence, []) }
        let used = all.filter { invite in
            invite.endDay > day && (invite.isOwn ? invite.owner == bundle.identity.id : isWrittenTo(invite.owner))
        }
        return used.compactMap { invite in
            // The clock of the owner may be a day ahead.
            let chain = invite.mailboxes.outgoing
            guard let mailbox = chain.mailbox(of: max(day, chain.firstDay)) else { return nil }
            return filled.tags.insert(mailbox.tag).inserted ? mailbox : nil
        }
    }

    /// Returns the prekey bundle of a peer whose invite was followed, or of anybody in the mailbox of an own invite; nil
    /// for anything else.
    func bundle(in message: MailboxMessage, _ tag: MailboxTag, on day: UInt32) -> PrekeyBundle? {
        let days = Mailboxes.daysToRead(on: day, wasAbsent: true)
        let invite = all.first { invite in days.contains { invite.mailboxes.incoming.tag(of: $0) == tag } }
        guard let invite, let bundle = message.bundle else { return nil }
        return invite.isOwn || bundle.identity.id == invite.owner ? bundle : nil
    }
}
