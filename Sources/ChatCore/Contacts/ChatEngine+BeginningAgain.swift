import ChatCrypto
import MeshCore

/// How a conversation goes on where the sessions of its two sides differ: one has lost its own, or is an earlier copy of
/// itself. Source: PROTOCOL §7, rules R3 and R4.
extension ChatEngine {
    /// Peers that were heard and have not confirmed what was sealed for them an hour ago (rule R3).
    ///
    /// Half a minute is enough, once, where the sessions are from before the start: the home may be an earlier copy.
    func peersThatAnswerNothing(at time: ChatTime) -> [PeerID] {
        let stuck = outbox.entries.values.filter { entry in
            guard entry.envelope != nil, !entry.isReceipt, !entry.isOpened else { return false }
            let lastSeen = peers[entry.peer]?.lastSeen ?? 0
            if entry.sealedAt + ChatLimits.beginAgainAge <= time.wall, lastSeen > entry.sealedAt { return true }
            let isDoubtful = max(entry.sealedAt, startedAt) + ChatLimits.doubtAge <= time.wall
            return isDoubtful && doubted.contains(entry.peer) && lastSeen >= startedAt
        }
        return Set(stuck.map(\.peer)).sorted()
    }

    /// Gives the sessions with a peer that confirms nothing up as primary and seals everything anew (rule R3).
    mutating func beginAgain(with peer: PeerID) throws {
        guard peers[peer]?.bundle != nil else { return }
        doubted.remove(peer)
        for entry in unconfirmed(by: peer) {
            withSessions(of: entry.generation) { $0.beginAgain(with: peer) }
            outbox.markWaiting(entry.id)
        }
        try sealWaiting(for: peer)
    }

    /// Follows a peer that has begun again though it had answered (rule R4): whatever it has not confirmed is sealed anew,
    /// and it gets the keys of groups that it may have lost.
    mutating func follow(_ peer: PeerID) throws {
        for entry in unconfirmed(by: peer) { outbox.markWaiting(entry.id) }
        try sealWaiting(for: peer)
        for group in groups.table.groupIDs.sorted() {
            guard let session = groups.membership(group), let key = session.currentKey(at: step.time.seconds),
                let member = session.recipients.first(where: { $0.identity.id == peer })
            else { continue }
            try send(key, of: session, to: member.identity)
        }
    }

    private func unconfirmed(by peer: PeerID) -> [Outbox.Entry] {
        outbox.inOrder.filter { $0.peer == peer && $0.envelope != nil && !$0.isReceipt }
    }
}
