extension GroupSession {
    /// Makes and signs an operation as the owner of the group.
    ///
    /// - Returns: the update for all `recipients`. A member that the operation adds gets a welcome instead.
    /// - Throws: `notOwner`, `frozen`, `invalidOperation`, `full`.
    public mutating func perform(
        _ action: GroupOperation.Action,
        at now: UInt32
    ) throws(CryptoError) -> (update: GroupUpdate, change: SessionChange) {
        guard let ownerKey else { throw LogRefusal.notSigned.error }
        let headerKey: SecretBytes? = action.bringsHeaderKey ? .random(count: 32) : nil
        let operation = try log.append(
            action,
            headerKeyHash: headerKey.map { GroupEpoch.hash(ofHeaderKey: $0) },
            by: ownerKey
        )
        let change = follow(operation, headerKey: headerKey, at: now)
        return (GroupUpdate(operation: operation, headerKey: headerKey), change)
    }

    /// Applies an update from any peer.
    ///
    /// New keys may open packets that arrived too early: try those packets again.
    ///
    /// - Parameters:
    ///   - update: the operation, with its header key if that is known.
    ///   - isOver: whether a later operation with a fresh header key is available. If the header key of this operation
    ///     is missing, its epoch then gets a random key that opens nothing.
    ///   - now: seconds since 1970 by the local clock.
    public mutating func apply(
        _ update: GroupUpdate,
        isOver: Bool = false,
        at now: UInt32
    ) -> (outcome: LogOutcome, change: SessionChange) {
        guard isMember else { return (.refused(.frozen), SessionChange()) }
        let operation = update.operation
        let before = log.fork
        var next = log
        let outcome = next.apply(operation)
        // A removed member needs no key.
        let needsKey = operation.action.bringsHeaderKey && operation.action.expelled != own.id
        let headerKey = update.headerKey ?? (isOver && needsKey ? .random(count: 32) : nil)
        if outcome == .applied, needsKey, headerKey == nil {
            return (.refused(.needsHeaderKey), SessionChange())
        }
        log = next
        guard outcome == .applied else { return (outcome, log.fork == before ? SessionChange() : saved()) }
        return (outcome, follow(operation, headerKey: headerKey, at: now))
    }

    /// Lists operations that another member lacks, as operations without the keys of past epochs.
    ///
    /// - Returns: at most `limit` operations, beginning with the one of an epoch.
    public func operations(from epoch: UInt32, limit: Int) -> [GroupOperation] {
        guard epoch >= 1, epoch <= log.epoch else { return [] }
        return Array(log.operations[Int(epoch - 1)...].prefix(limit))
    }

    /// Makes the update that began an epoch, for a member that was offline; nil if this node no longer has its header
    /// key.
    public func update(of epoch: UInt32) -> GroupUpdate? {
        guard let operation = operations(from: epoch, limit: 1).first else { return nil }
        guard operation.action.bringsHeaderKey else { return GroupUpdate(operation: operation, headerKey: nil) }
        guard let known = epochs.first(where: { $0.number == epoch }) else { return nil }
        return GroupUpdate(operation: operation, headerKey: known.headerKey)
    }

    /// Makes the welcome for a member that was just added.
    ///
    /// - Parameters:
    ///   - remainingSeconds: the time that the group will last by the local clock; 0 for a group without end.
    ///   - bundles: prekey bundles of members, that of this node first.
    ///   - maximumByteCount: the space that the transport has for the welcome.
    public func welcome(
        remainingSeconds: UInt32,
        bundles: [PrekeyBundle],
        maximumByteCount: Int
    ) -> GroupWelcome? {
        epochs.last.map { epoch in
            GroupWelcome(
                log: log,
                headerKey: epoch.headerKey,
                remainingSeconds: remainingSeconds,
                bundles: bundles,
                maximumByteCount: maximumByteCount
            )
        }
    }

    /// Makes the key for taking over the group, and answers the public key that the owner needs for the handover.
    ///
    /// A repeated call answers the same key, because the owner may have used it already.
    ///
    /// - Parameter key: the key of the identity if the group is a room, else a fresh key.
    public mutating func offerOwnership(
        with key: GroupOwnerKey = GroupOwnerKey()
    ) -> (publicKey: [UInt8], change: SessionChange) {
        if let offeredKey { return (offeredKey.publicKey, SessionChange()) }
        offeredKey = key
        return (key.publicKey, saved())
    }

    /// Notes that a member announced its departure.
    ///
    /// From now on nothing goes to this member, and its keys are erased.
    ///
    /// The owner removes the member next. Until then no member uses a key that the leaving member knows.
    public mutating func noteLeaving(_ member: PeerID) -> SessionChange {
        guard member != own.id, log.member(member) != nil, !leavers.contains(member) else { return SessionChange() }
        leavers = (leavers + [member]).sorted()
        var change = forget(member)
        senderKey = nil
        change.append(saved())
        return change
    }

    /// Leaves the group and erases all keys.
    public mutating func leave() -> SessionChange {
        let change = keyDeletion()
        eraseKeys()
        return change.appending(saved())
    }

    /// Whether the owner should begin a new epoch: after a week, or after 2^20 messages.
    public func wantsRenewal(at now: UInt32) -> Bool {
        guard isOwner, log.fork == nil, let epoch = epochs.last else { return false }
        return now.subtractingClamped(epoch.begunAt) > GroupLimits.epochLife
            || epoch.messageCount >= GroupLimits.messagesPerEpoch
    }

    // MARK: - Following the log

    /// Moves to the epoch that an operation has begun.
    private mutating func follow(
        _ operation: GroupOperation,
        headerKey: SecretBytes?,
        at now: UInt32
    ) -> SessionChange {
        var change = SessionChange()
        switch operation.action {
        case .remove(own.id), .removeLeaver(own.id):
            change = keyDeletion()
            eraseKeys()
            return change.appending(saved())
        case .remove(let member), .removeLeaver(let member):
            leavers.removeAll { $0 == member }
            change = forget(member)
        case .handover(let member, let key):
            ownerKey = member == own.id && offeredKey?.publicKey == key ? offeredKey : nil
            if member == own.id { offeredKey = nil }
        case .add, .rename, .policy, .renew: break
        }
        begin(operation, headerKey: headerKey, at: now)
        return change.appending(saved())
    }

    private mutating func begin(_ operation: GroupOperation, headerKey: SecretBytes?, at now: UInt32) {
        guard let last = epochs.last else { return }
        epochs[epochs.count - 1].endedAt = now
        epochs.append(
            GroupEpoch(
                number: operation.epoch,
                group: id,
                hash: operation.hash,
                headerKey: headerKey ?? last.nextHeaderKey(of: id),
                freshSince: headerKey == nil ? last.freshSince : operation.epoch,
                begunAt: now
            )
        )
        epochs.removeFirst(max(0, epochs.count - 1 - GroupLimits.maximumPastEpochs))
    }

    /// Erases the sender keys of a member.
    private mutating func forget(_ member: PeerID) -> SessionChange {
        var change = SessionChange()
        for key in received.values.filter({ $0.owner == member }).map(\.id).sorted() {
            received[key] = nil
            change.delete(.receivedKey, id.bytes + key.bytes)
        }
        return change
    }

    private mutating func eraseKeys() {
        epochs = []
        senderKey = nil
        ownerKey = nil
        offeredKey = nil
        received = [:]
        leavers = []
    }
}

extension SessionChange {
    /// Combines this change with a later change of other records.
    fileprivate func appending(_ later: SessionChange) -> SessionChange {
        var change = self
        change.append(later)
        return change
    }
}
