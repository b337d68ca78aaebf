package import ChatCrypto
import MeshCore

/// First messages between people who were never in one mesh.
///
/// Source: PROTOCOL §19.
extension ChatEngine {
    /// Makes a token with which anybody can write to this node's user for 90 days.
    package mutating func makeInvite() throws -> MailboxToken {
        try checkNoRoom()
        try identityHistory.checkWriting()
        let day = Mailboxes.day(at: step.time.seconds)
        guard let token = MailboxToken(bytes: randomBytes(MailboxToken.byteCount), day: day),
            let invite = MailboxInvite(token, of: ownID, isOwn: true)
        else { preconditionFailure("a token of another size") }
        _ = try invites.add(invite)
        writeInvites()
        return token
    }

    /// Ends all own invites: nobody can write to this node's user by them any more; returns their number.
    package mutating func endInvites() -> Int {
        let count = invites.endOwn()
        if count > 0 { writeInvites() }
        return count
    }

    /// Follows a link, so that the user can write to its owner.
    ///
    /// A link without a token changes nothing, nor does one whose owner has written already.
    ///
    /// - Throws: `expired` for a token that has ended or not begun; `notFound` for the own link.
    package mutating func follow(_ code: IdentityCode) throws {
        guard code.id != ownID else { throw ChatError(.notFound, "This is your own id.") }
        guard room == nil, let token = code.token, !sessions.isAnswered(by: code.id) else { return }
        let day = Mailboxes.day(at: step.time.seconds)
        guard token.day <= day.addingClamped(2) else {
            throw ChatError(.expired, "This link is of a day to come. Is the clock of this machine right?")
        }
        guard token.endDay > day else {
            throw ChatError(.expired, "This link is of no use any more: it ends after 90 days. Ask for a new one.")
        }
        guard let invite = MailboxInvite(token, of: code.id, isOwn: false), try invites.add(invite) else { return }
        writeInvites()
    }

    private mutating func writeInvites() {
        let name = Invites.recordName
        step.put(.identity, name, records.seal(MailboxInvite.encode(invites.all), named: name))
        far.noteNewMailboxes(at: step.time.monotonic, isOwnAct: true)
    }

    /// Restores the stored invites.
    mutating func restoreInvites() throws {
        let name = Invites.recordName
        guard let sealed = try step.record(.identity, name)?.plaintext, let record = records.open(sealed, named: name)
        else { return }
        invites.restore(record)
    }

    /// Forgets what has ended, as each day does.
    mutating func keepInvites() {
        if invites.forgetPast(on: Mailboxes.day(at: step.time.seconds)) { writeInvites() }
    }

    /// Puts the present prekey bundle into mailboxes, once a day.
    ///
    /// Those who hold a link of the user's begin a session with it. The owner of a link that the user has followed learns
    /// the user's name by it, once there is mail for them.
    mutating func fillInvites() {
        let (bundle, day) = (sessions.bundle, Mailboxes.day(at: step.time.seconds))
        guard far.hasGateway(at: step.time.monotonic), !identityHistory.isRevoked else { return }
        guard let message = MailboxMessage(bundle: bundle) else { return }
        let unfilled = invites.takeUnfilled(by: bundle, on: day) { [outbox] in outbox.isUnconfirmed(.direct($0)) }
        for mailbox in unfilled { submitFar(message, to: mailbox) }
    }

    /// Takes a prekey bundle from a mailbox: of the owner of a link that the user has followed, or of anybody who has
    /// followed one of the user's links.
    mutating func receiveFarBundle(_ message: MailboxMessage, in tag: MailboxTag) throws {
        let bundle = invites.bundle(in: message, tag, on: Mailboxes.day(at: step.time.seconds))
        guard let bundle, !trust.isOwn(bundle.identity.id), trust.accepts(bundle),
            peers.isChange(bundle, at: step.time.seconds)
        else { return }
        let peer = bundle.identity.id
        // The peer does not become near by it.
        let lastSeen = peers[peer]?.lastSeen ?? 0
        _ = contacts.discover(bundle.identity, bundle, at: lastSeen) { [conversations] in
            conversations[.direct($0)] != nil
        }
        contacts.see(bundle, at: step.time.seconds)
        try settleContacts()
        try sendWaiting(to: peer)
    }

    /// Has messages sealed that waited for a peer's keys.
    ///
    /// The user named the owner of a link by the whole id in it, so who is written to by a link is accepted.
    mutating func sendWaiting(to peer: PeerID) throws {
        let isWaiting = !outbox.queues(in: .direct(peer)).isEmpty
        if isWaiting, invites.isFollowed(peer), trust.state(of: peer) == .unknown { try decide(.accept, about: peer) }
        outbox.markDue(.direct(peer))
    }

    /// Notes that a peer has answered, so that their invite is needed no more.
    mutating func endInvites(of peer: PeerID) {
        if invites.endFollowed(of: peer) { writeInvites() }
    }
}
