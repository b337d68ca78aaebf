import ChatCrypto
import MeshCore

/// The way into a group: a welcome from its owner, all operations, and the user's word where the owner is a stranger.
extension ChatEngine {
    /// Whether a welcome is to be considered.
    ///
    /// It is for this node, begins with the founder's signed operation, and is newer than what its sender was refused
    /// before. One by the owner takes the place of any other's.
    func isInvitation(_ welcome: GroupWelcome, from sender: PeerID) -> Bool {
        let group = welcome.log.groupID
        let rank = Self.rank(of: welcome, from: sender)
        guard room.map({ $0.id == group }) != false, welcome.log.fork == nil, welcome.log.epoch > 0,
            !welcome.isWhole || welcome.log.member(ownID) != nil && welcome.log.owner == sender,
            groups.membership(group) == nil, (groups.table[group]?.log.epoch ?? 0) < welcome.epoch
        else { return false }
        guard let state = groups.states[group], let inviter = state.inviter else { return true }
        guard inviter != sender else {
            return state.record.refused < welcome.epoch && (state.welcome?.epoch ?? 0) < welcome.epoch
        }
        guard let pending = state.welcome else { return true }
        let known = Self.rank(of: pending, from: inviter)
        return rank > known || rank == known && (!pending.isWhole || pending.epoch < welcome.epoch)
    }

    /// How much of a welcome is proven: by its owner and whole, by its founder as far as it goes, or nothing.
    private static func rank(of welcome: GroupWelcome, from sender: PeerID) -> Int {
        welcome.log.owner != sender ? 0 : welcome.isWhole ? 2 : 1
    }

    /// Takes an invitation: from a contact this node joins at once, from a stranger, or into a group it has left, it waits
    /// for the user.
    mutating func receive(
        _ welcome: GroupWelcome,
        _ preimage: ReleasePreimage?,
        from sender: PeerID
    ) throws {
        guard isInvitation(welcome, from: sender) else { return }
        room?.take(welcome, at: step.time.monotonic)
        try settleRoom()
        let group = welcome.log.groupID
        var state = groups.states[group] ?? GroupState(group)
        // Into a room nobody is asked who has not asked to be let in.
        let isRequest = room == nil && (!isAccepted(sender) || state.record.refused > 0)
        if isRequest, groups.states[group]?.record.request != true { makeRoomForInvitation() }
        state.welcome = welcome
        // What one was refused says nothing of another.
        if state.inviter != sender { state.record.refused = 0 }
        state.record.inviter = .bytes(sender.bytes)
        state.record.request = isRequest
        state.record.preimage = .bytes(isAccepted(sender) ? [] : preimage?.bytes ?? [])
        state.record.welcome = .bytes(records.seal(welcome.encoded(), named: Self.welcomeName(group)))
        groups.states[group] = state
        touch(group)
        guard !isRequest else {
            step.perform(.tell(.group(group, .invited(by: sender))))
            return
        }
        try joinIfWhole(group)
    }

    /// Takes operations that a welcome had no room for.
    mutating func complete(
        _ group: GroupID,
        with operations: [GroupOperation],
        from sender: PeerID
    ) throws {
        guard var state = groups.states[group], var welcome = state.welcome, state.inviter == sender,
            !state.record.request
        else { return }
        let epoch = welcome.log.epoch
        for operation in operations { welcome.take(operation) }
        guard welcome.log.epoch > epoch else { return }
        state.welcome = welcome
        state.record.welcome = .bytes(records.seal(welcome.encoded(), named: Self.welcomeName(group)))
        state.haveAll()
        groups.states[group] = state
        touch(group)
        try joinIfWhole(group)
    }

    /// Joins once all operations are there, and asks for them while they are not.
    mutating func joinIfWhole(_ group: GroupID) throws {
        guard var state = groups.states[group], let welcome = state.welcome, let inviter = state.inviter else { return }
        guard welcome.isWhole else {
            groups.states[group]?.want(welcome.epoch, from: inviter, at: step.time.monotonic)
            return
        }
        state.welcome = nil
        state.record.welcome = .bytes([])
        state.haveAll()
        let now = step.time.seconds
        let identity = sessions.identity.publicIdentity
        // Nobody but the owner knows who is in, and with which key.
        guard welcome.log.owner == inviter, let joined = try? GroupSession.join(welcome, as: identity, at: now) else {
            state.record.refused = welcome.epoch
            groups.states[group] = state
            return try end(group)
        }
        records.write(groups.table.remove(group), in: &step)
        try makeRoom()
        do {
            try groups.table.insert(joined.session)
        } catch {
            // There are as many groups as there may be: it goes on once the user has left another.
            groups.states[group]?.record.request = true
            touch(group)
            step.perform(.tell(.group(group, .invited(by: inviter))))
            return
        }
        records.write(joined.change, in: &step)
        state.record.refused = 0
        groups.states[group] = state
        touch(group)
        for member in joined.session.recipients { try meet(member.identity) }
        try placeLines(of: joined.session.log)
        step.perform(.tell(.group(group, .joined)))
        try beginHistory(of: group)
        room?.finishEntering()
        try settleRoom()
        // Members may have written, and sent their keys, before the welcome came.
        groups.hasUnopened = true
        recallSoon()
    }

    /// Forgets a group that one is out of, if there are as many as there may be.
    mutating func makeRoom() throws {
        let known = groups.table.groupIDs
        guard known.count >= GroupLimits.maximumGroups else { return }
        let past = known.filter { groups.membership($0) == nil }
        let oldest = past.min { left, right in
            let (leftTime, rightTime) = (changedAt(left), changedAt(right))
            return leftTime == rightTime ? left < right : leftTime < rightTime
        }
        guard let oldest else { return }
        records.write(groups.table.remove(oldest), in: &step)
    }

    /// Lets the oldest invitation go, if there are as many as there may be.
    private mutating func makeRoomForInvitation() {
        let requests = groups.states.filter { $0.value.record.request }.keys
        guard requests.count >= ChatLimits.requestCount else { return }
        let oldest = requests.min { left, right in
            let (leftTime, rightTime) = (changedAt(left), changedAt(right))
            return leftTime == rightTime ? left < right : leftTime < rightTime
        }
        guard let oldest else { return }
        let inviter = groups.states[oldest]?.inviter
        groups.states[oldest] = nil
        conversations.remove(conversationID(of: oldest))
        step.delete(.groups, oldest.bytes)
        // Else strangers who come and go would fill the table of sessions.
        guard let inviter, trust.state(of: inviter) == .unknown, conversations[.direct(inviter)] == nil,
            !groups.isFellow(inviter), !groups.states.values.contains(where: { $0.inviter == inviter })
        else { return }
        tearDownSessions(with: inviter)
    }

    private func changedAt(_ group: GroupID) -> UInt64 {
        conversations[conversationID(of: group)]?.changedAt ?? 0
    }

    /// Writes down that a group has changed.
    mutating func touch(_ group: GroupID) {
        let state = groups.states[group] ?? GroupState(group)
        groups.states[group] = state
        step.put(.groups, group.bytes, state.record)
        conversations.touch(conversationID(of: group), at: step.time.wall)
    }

    static func welcomeName(_ group: GroupID) -> [UInt8] { Array("welcome".utf8) + group.bytes }
}
