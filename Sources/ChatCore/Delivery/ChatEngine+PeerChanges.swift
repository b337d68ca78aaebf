import ChatCrypto

/// The outbox's part in changes of contacts, of their sessions and of the user's identities.
extension ChatEngine {
    // MARK: - Resetting sessions

    /// Lists the peers that were seen and have not confirmed messages for a long time (PROTOCOL §7, rule R3).
    func peersThatAnswerNothing(at time: ChatTime) -> [PeerID] {
        let stuck = outbox.packsInOrder.compactMap { pack -> PeerID? in
            guard case .direct(let peer) = pack.conversation,
                pack.contents.contains(where: { outbox[$0].map { $0.kind != .receipt && !$0.isOpened } ?? false })
            else { return nil }
            let lastSeen = peers[peer]?.lastSeen ?? 0
            return identityHistory.answersNothing(peer, lastSeen: lastSeen, sealedAt: pack.sealedAt, at: time.wall)
                ? peer : nil
        }
        return Set(stuck).sorted()
    }

    /// Gives up the sessions with a peer that confirms nothing as primary and seals everything again (rule R3).
    mutating func resetSession(with peer: PeerID) throws {
        guard peers[peer]?.bundle != nil else { return }
        let packs = unconfirmed(by: peer)
        contacts.history.resetSession(with: peer, of: packs.map(\.generation))
        for pack in packs { outbox.unseal(pack) }
        outbox.markDue(.direct(peer))
    }

    /// Follows a peer that has reset its session although it had answered (rule R4): seals everything again that it has
    /// not confirmed, and sends it the keys of groups that it may have lost.
    mutating func follow(_ peer: PeerID) throws {
        for pack in unconfirmed(by: peer) { outbox.unseal(pack) }
        outbox.markDue(.direct(peer))
        try settleGroups()
    }

    /// Returns the envelopes to a peer that hold more than receipts.
    private func unconfirmed(by peer: PeerID) -> [OutboxPack] {
        outbox.packsInOrder.filter { pack in
            pack.conversation == .direct(peer) && pack.contents.contains { outbox[$0]?.kind != .receipt }
        }
    }

    // MARK: - Ending and announcing

    /// Ends the unsent entries for a peer to which nothing may be sent.
    mutating func refuse(_ peer: PeerID) throws {
        let isRevoked = trust.state(of: peer) == .revoked
        let ending = outbox.entries(in: .direct(peer)).filter { isRevoked || $0.envelope == nil }
        for entry in ending where !isStepFull { try fail(entry, .refusedByTrust) }
    }

    /// Ends the user's messages under a revoked identity, as many as fit a step; the next step continues.
    mutating func failIfRevoked() throws {
        guard identityHistory.isRevoked else { return }
        for entry in outbox.inOrder where entry.isMessage && entry.isSealed(by: identityHistory.generation) {
            guard !isStepFull else {
                nextHousekeeping = step.time.monotonic
                return
            }
            try fail(entry, .refusedByTrust)
        }
    }

    /// Puts the announcements to contacts into the outbox, so that they also reach offline contacts: as many as fit a
    /// step; the next step continues.
    mutating func notifyContacts() throws {
        guard !identityHistory.announcements.isEmpty else { return }
        defer {
            contacts.history.keep()
            writeContacts()
        }
        while let next = identityHistory.announcements.first {
            let sender = identityHistory.id(of: next.generation)
            for peer in contacts.peersToNotify where next.toldUpTo.map({ $0 < peer }) ?? true {
                guard !isStepFull, outbox.controlCount < ChatLimits.controlCount else {
                    if isStepFull { nextHousekeeping = step.time.monotonic }
                    return
                }
                let id = MessageContent.id(of: next.content, from: sender, to: peer)
                queue(id, next.content, to: peer, isControl: true, as: next.generation)
                contacts.history.noteNotified(peer)
            }
            contacts.history.noteNotified(nil)
        }
    }
}
