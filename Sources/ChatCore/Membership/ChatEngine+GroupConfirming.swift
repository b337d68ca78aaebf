package import ChatCrypto
import MeshCore

/// How sure the owner of a group is that no member knows operations which this node has lost.
///
/// A home may be an earlier copy of itself. An operation that is signed upon it is the second one of its epoch, and
/// freezes the group for everybody.
enum OwnerDoubt: Hashable, Sendable {
    /// The owner has signed nothing since the start.
    case open
    /// Members were asked; should none of them answer, the owner goes on at this moment, or later where one was heard.
    case asked(until: MeshInstant, isLast: Bool)
    /// A member's answer, or an operation signed since the start, settles it.
    case settled
}

/// The question that an owner asks once after each start, before its first operation. Source: PROTOCOL §16.5.
extension ChatEngine {
    /// Whether the owner of a group may sign its next operation.
    ///
    /// The host of a room asks as it starts and waits for nobody: who knocks is answered at once.
    package func isSure(of group: GroupID) -> Bool {
        guard room == nil, let session = groups.membership(group), session.isOwner, !session.recipients.isEmpty else {
            return true
        }
        return groups.states[group]?.doubt == .settled
    }

    /// Asks members for operations that this node lacks, unless that is settled; `ChatEffect.confirmed` tells the end.
    package mutating func confirm(_ group: GroupID) throws {
        guard !isSure(of: group) else { return step.perform(.confirmed(group)) }
        guard groups.states[group]?.doubt == .open, try askMembers(of: group) > 0 else { return }
        let end = step.time.monotonic.advanced(by: ChatLimits.confirmationWait)
        groups.states[group]?.doubt = .asked(until: end, isLast: false)
    }

    /// Asks the members heard last for operations from the newest known one on; answers how many were asked.
    @discardableResult
    mutating func askMembers(of group: GroupID) throws -> Int {
        guard let session = groups.membership(group) else { return 0 }
        let identities = session.recipients.map(\.identity).sorted { left, right in
            (peers[right.id]?.lastSeen ?? 0, left.id) < (peers[left.id]?.lastSeen ?? 0, right.id)
        }
        var count = 0
        for identity in identities where count < ChatLimits.confirmationCount {
            let request = GroupNote.request(group, from: session.log.epoch)
            // On a session from before the start it might not be understood.
            if peers[identity.id]?.bundle?.isUsable(at: step.time.seconds) == true, standing.isDoubted(identity.id) {
                contacts.history.beginAgain(with: identity.id, of: [standing.generation])
            }
            if try send(request, to: identity) != nil { count += 1 }
        }
        if count == 0 { try settle(group) }
        return count
    }

    /// Takes a member's operations as its answer: it asks for more where they brought some, else the owner is sure.
    mutating func takeAnswer(
        _ updates: [GroupUpdate],
        to asked: GroupSession,
        from sender: PeerID
    ) throws {
        guard !isSure(of: asked.id), let session = groups.membership(asked.id),
            updates.contains(where: { $0.operation.epoch == asked.log.epoch })
        else { return }
        guard session.log.epoch > asked.log.epoch else { return try settle(asked.id) }
        guard let identity = session.log.member(sender)?.identity else { return }
        try send(.request(asked.id, from: session.log.epoch), to: identity)
    }

    /// Notes that a member names an epoch which this node does not know, once after each start: members cannot hold an
    /// owner up for longer.
    mutating func doubt(_ group: GroupID) {
        guard groups.membership(group)?.isOwner == true, groups.states[group]?.wasDoubted == false else { return }
        groups.states[group]?.wasDoubted = true
        if groups.states[group]?.doubt == .settled { groups.states[group]?.doubt = .open }
    }

    /// Lets the owners go on whom no member has answered.
    mutating func endDoubts() throws {
        for (group, state) in groups.states.sorted(by: { $0.key < $1.key }) {
            guard case .asked(let end, let isLast) = state.doubt, end <= step.time.monotonic else { continue }
            let isHeard = groups.membership(group)?.recipients.contains { member in
                (peers[member.identity.id]?.lastSeen ?? 0) >= standing.startedAt
            }
            if isHeard == true, !isLast {
                let later = end.advanced(by: ChatLimits.longerConfirmationWait)
                groups.states[group]?.doubt = .asked(until: later, isLast: true)
                // A newer bundle may have come, and with it the way to a session that both sides know.
                try askMembers(of: group)
            } else {
                try settle(group)
            }
        }
    }

    /// Lets the owner go on, and does what has waited for it.
    private mutating func settle(_ group: GroupID) throws {
        groups.states[group]?.doubt = .settled
        step.perform(.confirmed(group))
        nextHousekeeping = step.time.monotonic
        guard let session = groups.membership(group), session.isOwner else { return }
        for member in session.recipients {
            let peer = member.identity.id
            if trust.state(of: peer) == .revoked { try expel(peer) }
            if let successor = trust[peer]?.successor?.id {
                try replacePredecessors(of: successor)
            }
            if groups.states[group]?.record.handover.elementsEqual(peer.bytes) == true {
                try send(.wantsOwnerKey(group), to: member.identity)
            }
        }
    }
}
