import Bytes

/// The mailboxes of a token, as its owner or somebody who has the link keeps them.
///
/// The token itself is not kept, so that a thief of this record learns no tags of past days. Source: PROTOCOL §19.
package struct MailboxInvite: Sendable {
    /// The maker of the token.
    package let owner: PeerID
    /// Whether this side made the token.
    package let isOwn: Bool
    /// The first day on which it is of no use any more.
    package let endDay: UInt32
    /// The mail of both directions.
    package private(set) var mailboxes: Mailboxes

    /// Makes the invite of a token.
    package init?(_ token: MailboxToken, of owner: PeerID, isOwn: Bool) {
        guard
            let mailboxes = Mailboxes(
                token: SecretBytes(copying: token.bytes),
                of: owner,
                isOwner: isOwn,
                from: token.day
            )
        else { return nil }
        (self.owner, self.isOwn, self.endDay, self.mailboxes) = (owner, isOwn, token.endDay, mailboxes)
    }

    /// Returns whether both are of the same token.
    package func isSame(as other: MailboxInvite) -> Bool {
        guard owner == other.owner, isOwn == other.isOwn, endDay == other.endDay else { return false }
        let day = max(mailboxes.incoming.firstDay, other.mailboxes.incoming.firstDay)
        return mailboxes.incoming.tag(of: day) == other.mailboxes.incoming.tag(of: day)
    }

    /// Forgets the keys of days whose mail is gone; returns whether there were some.
    package mutating func forgetPast(on day: UInt32) -> Bool { mailboxes.forgetPast(on: day) }
}

extension MailboxInvite {
    /// Shape of one: owner (32) ‖ whether it is own (1) ‖ end day (4) ‖ mailboxes (72).
    package static func encode(_ invites: [MailboxInvite]) -> SecretBytes {
        var writer = SecretWriter()
        for invite in invites {
            writer.append(invite.owner.bytes)
            writer.append(flag: invite.isOwn)
            writer.append(integer: invite.endDay)
            invite.mailboxes.encode(into: &writer)
        }
        return writer.finish()
    }

    /// Reads the output of ``encode(_:)``; nil for anything else.
    package static func decode(_ record: SecretBytes) -> [MailboxInvite]? {
        var reader = SecretReader(record)
        var invites: [MailboxInvite] = []
        while !reader.isAtEnd {
            guard let owner = reader.bytes(PeerID.byteCount).flatMap({ PeerID(bytes: $0) }),
                let isOwn = reader.flag(), let endDay = reader.integer(UInt32.self),
                let mailboxes = Mailboxes(decoding: &reader)
            else { return nil }
            invites.append(MailboxInvite(owner: owner, isOwn: isOwn, endDay: endDay, mailboxes: mailboxes))
        }
        return invites
    }

    private init(owner: PeerID, isOwn: Bool, endDay: UInt32, mailboxes: Mailboxes) {
        (self.owner, self.isOwn, self.endDay, self.mailboxes) = (owner, isOwn, endDay, mailboxes)
    }
}
