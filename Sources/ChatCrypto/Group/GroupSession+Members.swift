extension GroupSession {
    /// Lists operations that another member lacks.
    ///
    /// - Returns: at most `limit` operations, beginning with the one of an epoch; none if that one is not kept.
    public func operations(from epoch: UInt32, limit: Int) -> [GroupOperation] {
        guard let first = log.operations.first?.epoch, epoch >= first, epoch <= log.epoch else { return [] }
        return Array(log.operations[Int(epoch - first)...].prefix(limit))
    }

    /// Makes the key for taking over the group, and answers the public key that the owner needs for a handover or to
    /// name a successor.
    ///
    /// A repeated call answers the same key, because the owner may have used it already.
    ///
    /// - Parameter key: the key of the identity if the group is a room, else a fresh key.
    public mutating func offerOwnership(
        with key: GroupOwnerKey = GroupOwnerKey()
    ) -> (publicKey: [UInt8], change: SessionChange) {
        if let offeredKey { return (offeredKey.publicKey, SessionChange()) }
        offeredKey = key
        changed.insert(.group)
        return (key.publicKey, takeChange())
    }

    /// The member whose secrets of all nodes count: the previous owner, for an owner.
    public var treeGiver: PeerID? { isOwner ? log.holders.previousOwner : nil }

    /// Takes the secrets of all nodes, as the next owner.
    ///
    /// They have to be of the present epoch: keep those of a later one until its operation is here.
    ///
    /// - Parameters:
    ///   - bytes: the tree of a ``GroupUpdate``.
    ///   - sender: the peer on whose session they came.
    /// - Throws: `notOwner` if they are from another peer than the previous owner; `invalidOperation` if this node has
    ///   them already or should not have them; `malformed` if they do not lead to this member's own secrets, or are of
    ///   another epoch.
    public mutating func takeTree(_ bytes: SecretBytes, from sender: PeerID) throws(CryptoError) -> SessionChange {
        guard let path, needsTree else {
            throw CryptoError(.invalidOperation, "This node needs no secrets of the group.")
        }
        guard sender == treeGiver, sender != own.id else {
            throw CryptoError(.notOwner, "Only the previous owner gives the secrets of a group.")
        }
        guard let taken = OwnerTree(importing: bytes, table: log.table), taken.epoch == log.epoch,
            let present = taken.path(of: path.slot), present.count == path.secrets.count,
            zip(present, path.secrets).allSatisfy({ NodeSecret.next($0).isEqual(to: $1) })
        else { throw CryptoError(.malformed, "The bytes are not the secrets of this group.") }
        tree = taken
        changed.formUnion((tree?.takeChangedPages() ?? []).map { .secrets($0) })
        changed.insert(.group)
        return takeChange()
    }

    /// Notes that a member announced its departure.
    ///
    /// From now on nothing goes to this member and nothing of it opens. The owner removes the member next.
    public mutating func noteLeaving(_ member: PeerID) -> SessionChange {
        guard member != own.id, log.member(member) != nil, !leavers.contains(member),
            leavers.count < GroupLimits.maximumLeavers
        else { return SessionChange() }
        leavers = (leavers + [member]).sorted()
        changed.insert(.group)
        return takeChange()
    }

    /// Leaves the group and erases all keys.
    public mutating func leave() -> SessionChange {
        eraseKeys()
        return takeChange()
    }

    /// Deletes expired keys: those of past epochs, and the keys of missing and used messages.
    ///
    /// - Parameter now: seconds since 1970 by the local clock.
    public mutating func expire(at now: UInt32) -> SessionChange {
        for epoch in epochs where epoch.isExpired(at: now) {
            markAll(of: epoch)
            changed.insert(.group)
        }
        epochs.removeAll { $0.isExpired(at: now) }
        eraseAheadKeys()
        for index in epochs.indices {
            for slot in epochs[index].senders.filter({ $0.value.holdsExpired(at: now) }).keys {
                changeChains(of: slot, index) { $0.trim(at: now) }
            }
        }
        return takeChange()
    }

    /// Erases all keys of the group.
    mutating func eraseKeys() {
        for epoch in epochs { markAll(of: epoch) }
        epochs = []
        eraseAheadKeys()
        dropTree()
        (path, ownerKey, offeredKey, sealsFrom) = (nil, nil, nil, 0)
        leavers = []
        changed.insert(.group)
    }

    /// Erases the secrets of all nodes.
    mutating func dropTree() {
        if let tree { changed.formUnion(RecordPage.all(depth: tree.depth).map { .secrets($0) }) }
        tree = nil
        changed.insert(.group)
    }
}
