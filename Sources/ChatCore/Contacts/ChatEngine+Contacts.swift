package import ChatCrypto
import MeshCore

/// The joins of ``Contacts`` with the outbox, the conversations and the groups.
extension ChatEngine {
    package var trust: TrustStore { contacts.trust }
    /// The user's present identity with its sessions.
    package var sessions: SessionTable { contacts.history.sessions }
    /// The identities that the user has had.
    package var identityHistory: IdentityHistory { contacts.history }
    var peers: KnownPeers { contacts.peers }
    package var nickname: String { contacts.nickname }

    func isAccepted(_ peer: PeerID) -> Bool { contacts.isAccepted(peer) }

    package func name(of peer: PeerID) -> String { contacts.name(of: peer) }

    /// Returns a peer as a contact list shows it; nil if trust does not know it.
    package func contact(_ peer: PeerID, at time: ChatTime) -> Contact? {
        let distance = paths.distances[peer]
        return contacts.contact(peer, at: time.wall, distance: (distance?.hops, distance?.roundTrip))
    }

    // MARK: - Effects

    /// Writes the records that the contacts have changed.
    mutating func writeContacts() {
        for write in contacts.takeWrites() {
            switch write {
            case .trust(let peer, let record?): step.put(.contacts, peer.bytes, peer.bytes + record)
            case .trust(let peer, nil): step.delete(.contacts, peer.bytes)
            case .peer(let peer, let record?): step.put(.bundles, peer.bytes, record)
            case .peer(let peer, nil): step.delete(.bundles, peer.bytes)
            case .node: putNodeRecord()
            case .identity(let identity):
                let name = Contacts.identityName
                step.put(.identity, name, records.seal(identity.exported(), named: name))
            case .former(let former):
                let name = FormerIdentity.name(of: former.generation)
                var record = ProtoFormerRecord()
                record.sealed = .bytes(records.seal(former.sessions.identity.exported(), named: name))
                record.retiredAt = former.retiredAt
                step.put(.identity, name, record)
            case .formerGone(let generation): step.delete(.identity, FormerIdentity.name(of: generation))
            case .history(let record): step.put(.settings, Contacts.historyName, record)
            case .sessions(let change, let generation): records.write(change, of: generation, in: &step)
            }
        }
    }

    /// Writes the user's name and profile.
    package mutating func putNodeRecord() {
        var node = contacts.nodeRecord
        node.watched = isWatched
        step.put(.settings, Contacts.nodeName, node)
    }

    /// Writes the records that the contacts have changed, and carries out their effects.
    package mutating func settleContacts() throws {
        writeContacts()
        for effect in contacts.takeEffects() { try carryOut(effect) }
    }

    private mutating func carryOut(_ effect: ContactEffect) throws {
        switch effect {
        case .trust(let event): step.perform(.notify(.trust(event)))
        case .changed(let peer):
            guard let contact = contact(peer, at: step.time) else { return }
            step.perform(.notify(.contact(contact)))
        case .accepted(let peer):
            // A request ends without a decision if its peer turns out to be a contact's new identity.
            if conversations[.direct(peer)]?.isRequest == true { try takeEarlierHubs(of: peer) }
            conversations.accept(.direct(peer))
            receipts.release(PendingReceipts.Recipient(peer: peer), at: step.time.monotonic)
            outbox.markDue(.direct(peer))
            if prekeyMessages.readmit() { step.perform(.recallPrekeyMessages) }
        case .refused(let peer): try refuse(peer)
        case .rotated(let old, let new):
            // The settings of a conversation also apply to the conversation with the same person's new identity.
            conversations.inherit(from: .direct(old), to: .direct(new))
            try withGroups { groups, engine in
                groups.replacePredecessors(of: new, among: engine)
                // The new identity may have rotated too, and its statement may have arrived first.
                groups.recallSoon(at: engine.time.monotonic)
            }
        case .revoked(let peer): try withGroups { $0.expel(peer, among: $1) }
        case .ownRevoked: try failIfRevoked()
        case .over(let generation):
            for entry in outbox.inOrder where entry.isSealed(by: generation) && !isStepFull {
                try fail(entry, .expired)
            }
        case .announce: try notifyContacts()
        case .publishBundle: try publishBundle()
        }
    }

    // MARK: - Peers

    /// Carries out the user's decision about a peer.
    package mutating func decide(_ decision: TrustDecision, about peer: PeerID) throws {
        try contacts.decide(decision, about: peer, at: step.time.seconds)
        try follow(decisionAbout: peer)
        guard decision == .accept else { return }
        far.noteNewMailboxes(at: step.time.monotonic, isOwnAct: true)
        try withGroups { groups, engine in
            groups.replacePredecessors(of: peer, among: engine)
            // The peer may have announced a rotation while it was unknown.
            if groups.hasUnopened { groups.recallSoon(at: engine.time.monotonic) }
        }
    }

    /// Gives a peer a name of the user's own, or removes it; the user talks to an unknown peer with a name.
    package mutating func setLocalName(_ name: Nickname?, of peer: PeerID) throws {
        if name != nil, trust[peer] != nil, trust.state(of: peer) == .unknown { try decide(.accept, about: peer) }
        try contacts.setLocalName(name, of: peer)
        try settleContacts()
    }

    /// Compares a safety number that the user typed; the right one makes the peer verified.
    package mutating func verify(_ peer: PeerID, number: String) throws {
        try contacts.verify(peer, number: number, at: step.time.seconds)
        try follow(decisionAbout: peer)
    }

    /// Compares a code that the user scanned; the right one makes the peer verified.
    package mutating func verify(_ peer: PeerID, scanned code: IdentityCode) throws {
        try contacts.verify(peer, scanned: code, at: step.time.seconds)
        try follow(decisionAbout: peer)
    }

    private mutating func follow(decisionAbout peer: PeerID) throws {
        try settleContacts()
        try takeEarlierHubs(of: peer)
        try expectEarlierFiles(of: peer)
    }

    /// Notes that a packet arrived from a peer.
    mutating func discovered(_ identity: PublicIdentity, _ bundle: PrekeyBundle?) {
        let isChange = contacts.discover(identity, bundle, at: step.time.wall) { [conversations] peer in
            conversations[.direct(peer)] != nil
        }
        writeContacts()
        if isChange, isFetching(from: identity.id) { step.perform(.transfer(.discovered(identity.id))) }
    }

    /// Handles a statement from a session.
    mutating func take(_ statement: IdentityStatement, from sender: PeerID) throws {
        // An identity of a room ends with the room and is no contact.
        guard room == nil else { return }
        contacts.take(statement, from: sender, at: step.time.seconds)
        try settleContacts()
    }

    /// Handles a statement of an unknown peer without keeping a session; false if the peer is known.
    ///
    /// A rotation stays unopened and is tried again later, because the rotation that leads to its sender may still
    /// arrive.
    mutating func receiveFromUnknownPeer(_ statement: IdentityStatement, from sender: PeerID) throws -> Bool {
        guard room != nil || trust.state(of: sender) == .unknown else { return false }
        switch statement {
        case .rotation: groups.noteUnopened()
        case .revocation: try take(statement, from: sender)
        }
        return true
    }

    // MARK: - The user

    /// Changes the user's name; the new name spreads with the next prekey bundle, made now.
    package mutating func rename(to nickname: Nickname) throws {
        contacts.rename(to: nickname, at: step.time.seconds)
        try settleContacts()
    }

    /// Changes the user's emoji and colour, and notifies the peers of the conversations that changed last; all other
    /// peers see the change beside the next message.
    package mutating func setProfile(_ profile: Profile) throws {
        guard try contacts.setProfile(profile, at: step.time.wall) else { return }
        writeContacts()
        let latest = conversations.newestFirst.compactMap { record -> PeerID? in
            guard case .direct(let peer) = record.id, isAccepted(peer), !record.isRequest else { return nil }
            return peer
        }
        for peer in latest.prefix(ChatLimits.profileNotifyCount) {
            queueReceipt(MessageContent.Receipt(), to: peer)
        }
    }

    /// Replaces the user's identity by a new one and notifies all contacts; returns the new id.
    ///
    /// Messages and contacts stay as they are.
    package mutating func rotate() throws -> PeerID {
        try checkNoRoom()
        try identityHistory.checkRotation(at: step.time.seconds)
        let owned = rotationPlan.owned
        guard owned.isEmpty else {
            let titles = owned.map { "'\($0)'" }.joined(separator: ", ")
            throw ChatError(.ownsGroup, "You own \(titles). Hand them over first with 'group handover'.")
        }
        try withGroups { $0.leaveAll(among: $1) }
        try contacts.rotate(to: Identity(), at: step.time)
        try settleContacts()
        return ownID
    }

    /// Revokes an identity and notifies all contacts; returns its id.
    ///
    /// - Parameter certificate: The certificate of any identity; nil for this node's own.
    package mutating func revoke(by certificate: RevocationCertificate?) throws -> PeerID {
        try checkNoRoom()
        let revoked = try contacts.revoke(by: certificate, at: step.time)
        try settleContacts()
        return revoked
    }

    func checkNoRoom() throws {
        guard room == nil else { throw ChatError(.notFound, "The identity of a room ends with the room.") }
    }

    /// Renews the prekey, announces statements to contacts, and destroys the keys of former identities whose time is
    /// over.
    mutating func keepContacts() throws {
        let published = sessions.bundle.sequence
        contacts.expire(at: step.time.seconds)
        writeContacts()
        for former in identityHistory.formers where former.isOver(at: step.time.seconds) && !isStepFull {
            contacts.destroy(former.generation)
            try settleContacts()
        }
        try failIfRevoked()
        try notifyContacts()
        if sessions.bundle.sequence != published { try publishBundle() }
    }

    // MARK: - Sessions

    /// Opens a packet for the present identity, or for a former one.
    ///
    /// A prekey message is tried once. Of those that come too fast the surplus is tried again from the store of the mesh.
    mutating func open(_ packet: InboundPacket, at now: UInt32) -> (opened: OpenedMessage, generation: UInt32)? {
        guard packet.kind == .prekey else { return open(packet, at: now) { true } }
        let envelope = SealedEnvelope(kind: .prekey, body: Array(packet.body)).id
        guard !prekeyMessages.hasTried(envelope) else { return nil }
        var gate = prekeyMessages
        var isPostponed = false
        let opened = open(packet, at: now) {
            let isAllowed = gate.mayDecapsulate(at: step.time.monotonic)
            if !isAllowed { isPostponed = true }
            return isAllowed
        }
        if isPostponed {
            gate.postpone(at: step.time.monotonic)
        } else {
            gate.note(envelope, at: step.time.monotonic)
        }
        prekeyMessages = gate
        return opened
    }

    /// Opens a packet; no number of unknown peers keeps out the prekey message of a contact or another member.
    private func open(
        _ packet: InboundPacket,
        at now: UInt32,
        mayDecapsulate: () -> Bool
    ) -> (opened: OpenedMessage, generation: UInt32)? {
        identityHistory.open(
            packet,
            at: now,
            isKnown: { peer in
                trust[peer]?.isPinned == true || groups.isGroupMember(peer) || room?.isApplicant(peer) == true
            },
            mayDecapsulate: mayDecapsulate
        )
    }

    /// Commits an opened message to its session; false if it no longer opens.
    mutating func commit(_ opened: OpenedMessage, of generation: UInt32, sentAt: UInt32?) -> Bool {
        defer { writeContacts() }
        return contacts.history.commit(opened, of: generation, sentAt: sentAt)
    }

    /// Erases all sessions with a peer, of every identity.
    mutating func tearDownSessions(with peer: PeerID) {
        contacts.history.tearDown(peer)
        writeContacts()
    }
}
