/// The result of taking a sender key from a session.
public enum SenderKeyOutcome: Hashable, Sendable {
    /// The key opens messages from now on; try packets again that arrived too early.
    case accepted
    /// The key was known already.
    case known
    /// The log needs the operations up to this epoch first.
    case needsOperations(upTo: UInt32)
    /// The key ID does not match the peer of the session, or the peer is not a member.
    case refused
}

extension GroupSession {
    /// Takes a sender key.
    ///
    /// - Parameters:
    ///   - message: the message with the key.
    ///   - sender: the peer of the session on which the key arrived. No member may pass on another member's key.
    ///   - now: seconds since 1970 by the local clock.
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
        // A repeated key must not move its chain back.
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

    /// Deletes expired keys: header keys of past epochs, sender keys, and the keys of missing and used messages.
    ///
    /// - Parameter now: seconds since 1970 by the local clock.
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

    /// Drops keys of missing messages of a member that has too many, starting with the sender key that was used longest
    /// ago.
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
