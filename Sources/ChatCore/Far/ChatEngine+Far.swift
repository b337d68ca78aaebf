import ChatCrypto
package import MeshCore

/// Mail that crosses to other meshes in mailboxes of hubs, besides what goes through this mesh.
///
/// Source: PROTOCOL §19, §20.
extension ChatEngine {
    /// Notes an announcement of a gateway, which passes mail between this mesh and hubs.
    package mutating func hearGateway(_ announcement: [UInt8]) {
        if room == nil { far.hear(announcement, at: step.time.monotonic) }
    }

    /// The time at which a gateway announced itself last; nil if none did.
    package var gatewayHeardAt: MeshInstant? { far.heardAt }

    /// Returns the tags of all own mailboxes on a day: those of invites, then those of the peers that wrote last first.
    private func ownTags() -> (_ day: UInt32) -> [MailboxTag] {
        { [contacts, groups, invites] day in
            invites.incomingTags(on: day) + contacts.history.mailboxes.compactMap { $0.incoming.tag(of: day) }
                + groups.table.mailboxTags(on: day)
        }
    }

    /// Returns the key of an own mailbox; nil for a tag that is none of this node's.
    private mutating func ownMailbox(_ tag: MailboxTag) -> MailboxKey? {
        let day = Mailboxes.day(at: step.time.seconds)
        return far.key(of: tag, on: day, among: ownTags()) { [contacts, groups, invites] day in
            let chains = invites.all.lazy.map(\.mailboxes.incoming) + contacts.history.mailboxes.map(\.incoming)
            let chain = chains.first { $0.tag(of: day) == tag }
            return chain?.mailbox(of: day) ?? groups.table.mailbox(tag, on: day)
        }
    }

    /// Writes what is due for mailboxes, and asks for the mail in the own ones.
    mutating func tickFar() throws {
        guard room == nil else { return }
        far.forgetGateway(at: step.time.monotonic)
        var random = SystemRandomNumberGenerator()
        for id in far.takeStoredReceipts(until: step.time.monotonic) { takeOut(id) }
        let requests = far.takeRequests(at: step.time, for: ownTags(), using: &random)
        for body in requests { step.perform(.submit(kind: .watch, body: body, life: FarLimits.watchLife)) }
        if !requests.isEmpty { fillInvites() }
        // The mailboxes of a new day get what is still unconfirmed: a full one, or one whose mail a hub has lost.
        if far.beginDay(Mailboxes.day(at: step.time.seconds)) {
            for pack in outbox.packsInOrder { far.expect(pack.conversation, at: step.time.monotonic) }
        }
        for conversation in far.takeDue(until: step.time.monotonic) { try writeFar(in: conversation) }
    }

    // MARK: - Writing

    /// Has what is unconfirmed in a conversation written for a mailbox, unless all who lack it are in this mesh.
    mutating func expectFar(_ conversation: ConversationID) {
        if room == nil { far.expect(conversation, at: step.time.monotonic) }
    }

    /// Writes the unconfirmed envelopes of a conversation to its mailbox, unless all its readers are in this mesh.
    private mutating func writeFar(in conversation: ConversationID) throws {
        let now = step.time.monotonic
        guard outbox.isUnconfirmed(conversation) else { return }
        if let left = timeNear(conversation) { return far.expect(conversation, at: now.advanced(by: left)) }
        for pack in outbox.packs(in: conversation) where !far.isWritten(pack.proofHash) {
            guard !isStepFull else { return far.expect(conversation, at: now) }
            guard let envelope = try outbox.envelope(of: pack, in: step) else { continue }
            // Whoever has opened a message reads the mailbox of its own session, which is the first.
            guard let mailbox = writeFar(envelope, of: pack).first else { continue }
            for id in pack.contents { writeFarFiles(of: id, in: conversation, to: mailbox) }
            // No release comes back from another mesh. If the author of a message misses its receipt, they write again.
            if pack.contents.allSatisfy({ outbox[$0]?.kind == .receipt }) {
                far.noteWritten(receipts: pack.contents, at: now)
            }
        }
        if case .direct(let peer) = conversation, invites.isFollowed(peer) { fillInvites() }
    }

    /// Returns the time until the first reader of a conversation stops counting as near; nil if one is not near now.
    private func timeNear(_ conversation: ConversationID) -> Duration? {
        if case .direct(let peer) = conversation { return timeNear(peer) }
        guard let group = conversation.group else { return nil }
        let times = (groups.membership(group)?.recipients ?? []).map { timeNear($0.identity.id) }
        return times.contains(nil) ? nil : times.compactMap(\.self).min()
    }

    /// Returns the time until a peer stops counting as near; nil if they are not near now.
    private func timeNear(_ peer: PeerID) -> Duration? {
        guard peers.isReachable(peer, at: step.time.wall), let lastSeen = peers[peer]?.lastSeen else { return nil }
        let age = step.time.wall - min(step.time.wall, lastSeen)
        return .milliseconds(Int64(clamping: ChatLimits.reachableAge - min(age, ChatLimits.reachableAge)))
    }

    /// Writes the small attachments of a message for a mailbox, as far as the day has room for them.
    private mutating func writeFarFiles(of message: MessageID, in conversation: ConversationID, to mailbox: MailboxKey)
    {
        for source in attachments.blobs.sources(of: message) ?? []
        where far.pieces.takeRoom(for: source.fragmentCount, in: conversation, isText: source.isText) {
            step.perform(.spreadFar(source, to: mailbox))
        }
    }

    /// Writes an envelope for the mailboxes of its session or group; returns them, none if no mailbox is known.
    private mutating func writeFar(_ envelope: SealedEnvelope, of pack: OutboxPack) -> [MailboxKey] {
        let day = Mailboxes.day(at: step.time.seconds)
        let content: MailboxMessage.Content = envelope.kind == .prekey ? .prekey : .sealed
        guard let message = MailboxMessage(content: content, body: envelope.body) else { return [] }
        let mailboxes = mailboxes(of: pack, content, on: day)
        let mail = mailboxes.map { mailbox in
            let name = submitFar(message, to: mailbox, proof: pack.deliveryProof)
            return FarPosts.Mail(name: name, proof: pack.deliveryProof.map(mailbox.proof))
        }
        if !mail.isEmpty { far.noteWritten(pack.proofHash, mail) }
        return mailboxes
    }

    /// Submits a message for a mailbox; returns the name of the mail.
    @discardableResult
    mutating func submitFar(
        _ message: MailboxMessage,
        to mailbox: MailboxKey,
        proof: DeliveryProof? = nil
    ) -> [UInt8] {
        let mail = mailbox.seal(message, proof: proof)
        step.perform(.submit(kind: .far, body: mail, life: ChatLimits.sealedLife))
        return MailboxKey.name(ofMail: mail)
    }

    /// Notes that a hub has acknowledged mail of this name.
    package mutating func noteStored(_ name: [UInt8], at hub: String) {
        far.note(HubCopy(hub: hub, time: Timestamp(clamping: step.time.wall)), of: name)
    }

    /// Returns the mailboxes in which those who can open an envelope look for it.
    ///
    /// The recipient of a prekey message may not know the mailbox of the session that it begins; then they read that of
    /// an earlier one, or of their invite.
    private func mailboxes(of pack: OutboxPack, _ content: MailboxMessage.Content, on day: UInt32) -> [MailboxKey] {
        switch pack.conversation {
        case .direct(let peer):
            let mailboxes = contacts.history.mailboxes(of: pack.generation, with: peer)
            let readable = content == .prekey ? mailboxes[...] : mailboxes.prefix(1)
            let chains = readable.map(\.outgoing) + (content == .prekey ? invites.outgoing(to: peer) : [])
            // The clock of the peer who began the session may be a day ahead.
            return chains.compactMap { $0.mailbox(of: max(day, $0.firstDay)) }
        case .group(let group):
            let session = groups.membership(group)
            return [session.flatMap { $0.mailbox(of: $0.log.epoch, on: day) }].compactMap(\.self)
        case .room: return []
        }
    }

    /// Writes a notice to a group for the mailbox of its epoch, if a member is not near.
    mutating func writeFar(_ notice: SealedGroupMessage, to group: GroupID) {
        guard room == nil, far.hasGateway(at: step.time.monotonic), timeNear(.group(group)) == nil,
            let mailbox = groups.membership(group)?.mailbox(of: notice.epoch, on: Mailboxes.day(at: step.time.seconds)),
            let message = MailboxMessage(content: .sealed, body: notice.body)
        else { return }
        submitFar(message, to: mailbox)
    }

    // MARK: - Reading

    /// Handles mail, or a piece of an attachment, from a mailbox of this node; mail for another changes nothing.
    mutating func receiveMail(_ envelope: Envelope) throws {
        guard room == nil, let tag = MailboxTag(ofMail: envelope.body), let mailbox = ownMailbox(tag),
            let mail = mailbox.open(envelope.body)
        else { return }
        guard envelope.kind == .farChunk else { return try receive(mail, in: mailbox) }
        guard let piece = mail.piece else { return }
        try withAttachments { $0.receive(piece, isFar: true, among: $1, in: $1.step) }
    }

    private mutating func receive(_ mail: MailboxMessage, in mailbox: MailboxKey) throws {
        let kind: EnvelopeKind
        switch mail.content {
        case .sealed: kind = .sealed
        case .prekey: kind = .prekey
        case .bundle: return try receiveFarBundle(mail, in: mailbox.tag)
        case .piece: return
        }
        let envelope = Envelope(kind: kind, life: ChatLimits.sealedLife, body: mail.body)
        if receivePostOfCarried(envelope, in: mailbox) { return }
        try receiveSealed(envelope, along: .far(mailbox))
    }

    /// Notes that a message came from a peer; one from another mesh does not make them near.
    mutating func see(_ sender: PublicIdentity, along route: InboundRoute?) {
        endInvites(of: sender.id)
        guard route?.isFar == true else { return discovered(sender, nil) }
        guard peers[sender.id] == nil else { return }
        _ = contacts.discover(sender, nil, at: 0) { [conversations] in conversations[.direct($0)] != nil }
        writeContacts()
    }

    /// Remembers a message from another mesh, so that it is confirmed again if it comes again.
    ///
    /// Its receipt is kept like that of a post.
    mutating func noteFarArrival(_ proof: DeliveryProof, of contents: [MessageID], from sender: PeerID) {
        carriedArrivals.insert(.init(sender: sender, deliveryProof: proof, contents: contents, isFar: true))
        carriedArrivals.notePosted(contents)
    }

    /// Returns the own envelopes that a receipt names.
    func packs(namedIn body: MessageContent.Body) -> [OutboxPack] {
        guard room == nil, case .receipt(let receipt) = body else { return [] }
        return receipt.packs.compactMap { outbox.pack(proofHash: $0) }
            + (receipt.delivered + receipt.read).compactMap { outbox[$0]?.envelope.flatMap(outbox.pack) }
    }

    /// Releases envelopes that have nothing left to confirm: in their mailboxes, and if the receipt came from another mesh
    /// in this one.
    ///
    /// A release does not cross to another mesh. So the author, who knows the proofs too, publishes them.
    mutating func releaseEnded(_ packs: [OutboxPack], along route: InboundRoute?, of peer: PeerID) {
        for pack in packs where outbox.pack(proofHash: pack.proofHash) == nil {
            if route?.isFar == true, let proof = pack.deliveryProof { release(proof, of: peer) }
            releaseMail(of: pack.proofHash)
        }
    }

    /// Releases what was written for mailboxes of an envelope with a release hash.
    mutating func releaseMail(of proofHash: [UInt8]) { farReleases += far.takeProofs(of: proofHash) }
}
