/// What a sender key from a session was to the group.
public enum SenderKeyOutcome: Hashable, Sendable {
    /// It opens messages from here on: try packets again that came too early.
    case accepted
    /// It was there already.
    case known
    /// Operations up to this epoch have to be applied first.
    case needsOperations(upTo: UInt32)
    /// Its name is not that of a key of whose session it came on, or that one is no member.
    case refused
}

extension GroupSession {
    /// Takes a sender key.
    ///
    /// - Parameter sender: whose session it came on; nobody hands over another member's key.
    public mutating func accept(
        _ message: SenderKeyMessage,
        from sender: PeerID,
        at now: UInt32
    ) -> (outcome: SenderKeyOutcome, change: SessionChange) {
        guard message.groupID == id, isMember, sender != own.id, message.isFrom(sender) else {
            return (.refused, SessionChange())
        }
        guard message.epoch <= log.epoch else { return (.needsOperations(upTo: message.epoch), SessionChange()) }
        guard log.member(sender) != nil, !leavers.contains(sender) else { return (.refused, SessionChange()) }
        // The same key once more is no reason to go back in its chain.
        guard received[message.id] == nil else { return (.known, SessionChange()) }
        let key = ReceivedSenderKey(message, from: sender, wrap: wrap, at: now)
        received[key.id] = key
        var change = SessionChange()
        save(key, in: &change)
        let others = received.values.filter { $0.owner == sender && $0.id != key.id }
            .sorted { ($0.lastUsed, $0.id) < ($1.lastUsed, $1.id) }
        for old in others.prefix(max(0, others.count + 1 - GroupLimits.keysPerMember)) {
            received[old.id] = nil
            change.delete(.receivedKey, id.bytes + old.id.bytes)
        }
        return (.accepted, change)
    }

    /// Deletes what has expired: header keys of past epochs, sender keys, keys of missing and of used messages.
    ///
    /// - Parameter now: seconds since 1970 by one's own clock.
    public mutating func expire(at now: UInt32) -> SessionChange {
        var change = SessionChange()
        if epochs.contains(where: { $0.isExpired(at: now) }) {
            epochs.removeAll { $0.isExpired(at: now) }
            change.append(saved())
        }
        for var key in received.values.sorted(by: { $0.id < $1.id }) {
            if key.isExpired(at: now) {
                received[key.id] = nil
                change.delete(.receivedKey, id.bytes + key.id.bytes)
            } else if key.holdsExpired(at: now) {
                key.trim(at: now)
                received[key.id] = key
                save(key, in: &change)
            }
        }
        return change
    }

    /// Drops keys of missing messages of a member who has too many, from the key used longest ago on.
    mutating func boundSkipped(of member: PeerID, except current: SenderKeyID) -> SessionChange {
        var change = SessionChange()
        let keys = received.values.filter { $0.owner == member }
        var surplus = keys.reduce(0) { $0 + $1.skippedCount } - GroupLimits.skippedPerMember
        guard surplus > 0 else { return change }
        let oldest = keys.filter { $0.id != current }.sorted { ($0.lastUsed, $0.id) < ($1.lastUsed, $1.id) }
        for var key in oldest where surplus > 0 && key.skippedCount > 0 {
            let dropped = min(surplus, key.skippedCount)
            key.dropSkipped(dropped)
            surplus -= dropped
            received[key.id] = key
            save(key, in: &change)
        }
        return change
    }

    func save(_ key: ReceivedSenderKey, in change: inout SessionChange) {
        change.save(.receivedKey, id.bytes + key.id.bytes, key.encoded())
    }
}
