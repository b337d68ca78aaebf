package import ChatCrypto

extension ChatEngine {
    /// How this node's user is shown to those it talks to.
    package var profile: Profile { ownProfile.profile }

    /// Changes what the user is called; the new name spreads with the next bundle, which is made now.
    package mutating func rename(to nickname: Nickname) throws {
        guard nickname.text != self.nickname else { return }
        self.nickname = nickname.text
        let change = sessions.rename(to: nickname, at: step.time.seconds)
        records.write(change, of: standing.generation, in: &step)
        putNodeRecord()
        try publishBundle()
    }

    /// Changes the user's emoji and colour, and tells the peers of the conversations that changed last; all others see
    /// it beside the next message.
    package mutating func setProfile(_ profile: Profile) throws {
        guard profile.emoji.map(Emoji.isSingle) ?? true else {
            throw ChatError(.badName, "That is not one emoji.")
        }
        guard profile != ownProfile.profile else { return }
        // The clock, so that what is stated after a backup was restored is newer than what was before.
        let revision = max(ownProfile.revision.addingReportingOverflow(1).partialValue, step.time.wall)
        ownProfile = ProfileStatement(profile, revision: revision)
        putNodeRecord()
        let latest = conversations.filter { isAccepted($0.key) && !$0.value.record.request }
            .sorted { ($1.value.record.changedAt, $1.key) < ($0.value.record.changedAt, $0.key) }
        for (peer, _) in latest.prefix(ChatLimits.profileTellCount) {
            guard let recipient = trust[peer]?.identity else { continue }
            let content = MessageContent.receipt(salt: randomBytes(16), at: step.time)
            _ = try launchReceipt(content, to: recipient)
        }
    }

    /// What is sealed for a peer: the content, and how the user wants to be shown.
    func withProfile(_ content: [UInt8]) -> [UInt8] {
        ownProfile.stated(behind: content, limit: SessionLimits.maximumFirstContentByteCount)
    }

    /// Takes how a peer wants to be shown; nothing but labels, and of strangers not even those.
    mutating func noteProfile(in content: [UInt8], of peer: PeerID) {
        guard isAccepted(peer), let stated = ProfileStatement(in: content), var known = peers[peer],
            stated.revision > known.profile.revision
        else { return }
        let isChange = stated.profile != known.profile.profile
        known.profile = stated
        peers[peer] = known
        putPeerRecord(of: known)
        guard isChange, let contact = contact(peer, at: step.time) else { return }
        step.perform(.tell(.contact(contact)))
    }

    /// Writes down what is kept of a peer that is known.
    mutating func putPeerRecord(of known: KnownPeer) {
        var record = ProtoPeerRecord()
        record.signingKey = .bytes(known.identity.signingKey)
        record.agreementKey = .bytes(known.identity.agreementKey)
        record.bundle = .bytes(known.bundle?.bytes ?? [])
        record.lastSeen = known.storedLastSeen
        if known.profile.revision > 0 { record.profile = known.profile.encoded }
        step.put(.bundles, known.identity.id.bytes, record)
    }

    /// Writes down what the user is called and how it is shown.
    package mutating func putNodeRecord() {
        var node = ProtoNodeRecord()
        node.nickname = nickname
        node.watched = isWatched
        if ownProfile.revision > 0 { node.profile = ownProfile.encoded }
        step.put(.settings, Self.nodeName, node)
    }
}
