import Bytes

/// The state that one device of a member needs in one group: the log, the secrets of its path in the key tree, the keys
/// of the epochs, and the whole tree if the device is the owner's.
///
/// A pure value: it stores, sends and shows nothing. Each step that changes it also answers a `SessionChange`. This
/// change has to be durable before a packet leaves or a text is shown. Work on a copy, and keep the copy once the
/// change is written. Invariant: epochs in rising order, and the last one is that of the log. There are no epochs and no
/// path after this node has left the group. Source: PROTOCOL §16.
public struct GroupSession: Sendable {
    /// The identity under which the member takes part.
    public let own: PublicIdentity
    /// The number of this device among those of the member; 0 for the first.
    public let device: UInt8
    /// The log of members, settings and owner.
    public internal(set) var log: MembershipLog
    /// The members that announced their departure and that the owner has not removed yet, in order of their IDs.
    public internal(set) var leavers: [PeerID] = []
    var ownerKey: GroupOwnerKey?
    /// The key to which the owner may hand the group over, or with which this node may take it over.
    var offeredKey: GroupOwnerKey?
    /// The owner's secrets of all nodes, of the epoch of the log.
    var tree: OwnerTree?
    var path: MemberPath?
    /// The first epoch in which this node seals messages.
    var sealsFrom: UInt32 = 0
    var epochs: [GroupEpoch] = []
    let wrap: KeyWrap
    /// The run that this program has begun in the last epoch in which it has sealed; nil before that.
    var ownRun: (epoch: UInt32, run: UInt32)?
    var aheadKeys = AheadKeys()
    /// The records that changed since the last change was made.
    var changed: Set<GroupRecord> = []

    /// The group's name.
    public var id: GroupID { log.groupID }

    /// Whether this node is a member; if not, all keys are erased.
    public var isMember: Bool { path != nil }

    /// The slot of this member; nil if this node is not a member.
    public var slot: UInt16? { path?.slot }

    /// Whether this node signs the operations.
    public var isOwner: Bool { ownerKey != nil }

    /// Whether this node may take over the group, as the successor that the policy names.
    public var isSuccessor: Bool { !isOwner && offeredKey != nil && offeredKey?.publicKey == log.successorKey }

    /// Whether nothing can be sealed before a later epoch begins; see `mustWait` among the codes of errors.
    public var mustWait: Bool { log.epoch < sealsFrom }

    /// Whether this node signs operations and lacks the secrets for them; see ``takeTree(_:from:)`` and ``repair(at:)``.
    public var needsTree: Bool { isOwner && tree == nil }

    /// The members that get operations: all except this node and the leavers.
    public var recipients: [GroupMember] {
        log.members.filter { $0.identity.id != own.id && !leavers.contains($0.identity.id) }
    }

    /// The bytes that bind the next operation's secrets to the group and the present epoch.
    var associatedData: [UInt8] {
        GroupEpoch.associatedData(group: id, epoch: log.epoch, hash: log.hash)
    }

    init(own: PublicIdentity, device: UInt8, log: MembershipLog, wrap: KeyWrap) {
        self.own = own
        self.device = device
        self.log = log
        self.wrap = wrap
    }

    // MARK: - Beginning

    /// Creates a group whose only member is its creator.
    ///
    /// - Parameters:
    ///   - founder: the creator.
    ///   - title: the first title.
    ///   - policy: the first settings, without admins and successor.
    ///   - ownerKey: a fresh key, or the key of the identity that hosts a room.
    ///   - device: the number of this device.
    ///   - now: seconds since 1970 by the local clock.
    public static func create(
        as founder: GroupMember,
        title: GroupTitle,
        policy: GroupPolicy,
        ownerKey: GroupOwnerKey = GroupOwnerKey(),
        device: UInt8 = 0,
        at now: UInt32
    ) throws(CryptoError) -> (session: GroupSession, change: SessionChange) {
        let log = MembershipLog(foundingKey: ownerKey.publicKey)
        var session = GroupSession(own: founder.identity, device: device, log: log, wrap: KeyWrap())
        session.ownerKey = ownerKey
        let edits: [GroupEdit] = [.add(0, founder), .rename(title), .policy(policy)]
        _ = try session.perform(edits, with: OwnerTree(), signedBy: ownerKey, at: now)
        let change = session.takeChange()
        return (session, change)
    }

    /// Joins a group with a welcome.
    ///
    /// - Parameters:
    ///   - welcome: the welcome.
    ///   - checkpoint: the state of the group if it did not fit into the welcome.
    ///   - own: the identity that the welcome admits.
    ///   - device: the number of this device.
    ///   - now: seconds since 1970 by the local clock.
    /// - Returns: a session that seals nothing before the next epoch if this one is not the epoch that added this node:
    ///   an earlier session, which is lost, may have used its keys.
    /// - Throws: `invalidOperation` if the state is missing or of another epoch, or the secrets are not those of its last
    ///   operation; `notMember` if it does not name this node in its slot.
    public static func join(
        _ welcome: GroupWelcome,
        checkpoint: GroupCheckpoint? = nil,
        as own: PublicIdentity,
        device: UInt8 = 0,
        at now: UInt32
    ) throws(CryptoError) -> (session: GroupSession, change: SessionChange) {
        let log = try log(of: welcome, checkpoint, for: own, at: now)
        var session = GroupSession(own: own, device: device, log: log, wrap: KeyWrap())
        session.enter(welcome, at: now)
        if let entry = log.table[welcome.slot], entry.epoch < log.epoch { session.note(endOf: log.epoch) }
        session.markAll()
        let change = session.takeChange()
        return (session, change)
    }

    /// Continues after missing operations with a welcome for the same member.
    ///
    /// Late messages of the known epochs still open.
    ///
    /// If the group was handed over to this member meanwhile, under the key that it offered, this node is its owner
    /// afterwards; see ``needsTree``.
    ///
    /// - Throws: the errors of ``join(_:checkpoint:as:device:at:)``, and `invalidOperation` for a state that does not
    ///   continue the known one, and for the present epoch with the same secrets.
    public mutating func rejoin(
        _ welcome: GroupWelcome,
        checkpoint: GroupCheckpoint? = nil,
        at now: UInt32
    ) throws(CryptoError) -> SessionChange {
        let next = try Self.log(of: welcome, checkpoint, for: own, at: now)
        guard isMember, log.fork == nil, next.continues(log), next.epoch > log.epoch || brings(otherSecrets: welcome)
        else { throw CryptoError(.invalidOperation, "The welcome does not continue the group.") }
        markAll()
        let (before, owner, epoch) = (log, log.owner, log.epoch)
        log = next
        // A leaver who has come back since is none any more.
        leavers.removeAll { log.joinEpoch(of: $0) == nil || log.joinEpoch(of: $0) != before.joinEpoch(of: $0) }
        ownerKey = ownerKey?.publicKey == log.signingKey ? ownerKey : nil
        if log.ownerSlot == welcome.slot { takeOffer() }
        // The last operation of a welcome to a new owner is the handover, and it was the only one.
        let transfers = log.transfers.filter { $0.isTransfer && $0.epoch > epoch }
        if let owner, transfers.count == 1, transfers.first?.epoch == log.epoch { log.notePreviousOwner(owner) }
        dropTree()
        if epochs.last?.number == log.epoch {
            // The keys of this epoch were wrong, so none of its messages could be opened.
            if let wrong = epochs.popLast() { markAll(of: wrong) }
            eraseAheadKeys()
        } else {
            epochs[epochs.count - 1].endedAt = now
        }
        enter(welcome, at: now)
        markAll()
        return takeChange()
    }

    /// Whether a welcome for the present epoch leads to another root than the known secrets, which are wrong then.
    private func brings(otherSecrets welcome: GroupWelcome) -> Bool {
        guard let root = welcome.path.last, let own = path?.secrets.last else { return false }
        return !NodeSecret.next(root).isEqual(to: own)
    }

    private static func log(
        of welcome: GroupWelcome,
        _ pulled: GroupCheckpoint?,
        for own: PublicIdentity,
        at now: UInt32
    ) throws(CryptoError) -> MembershipLog {
        guard let checkpoint = welcome.checkpoint ?? pulled, checkpoint.groupID == welcome.groupID,
            checkpoint.epoch == welcome.epoch, checkpoint.depth + 1 == welcome.path.count
        else { throw CryptoError(.invalidOperation, "The state of the group is missing.") }
        let log = checkpoint.log(at: now)
        guard log.table[welcome.slot]?.member.identity == own else {
            throw CryptoError(.notMember, "This identity is not a member of the group.")
        }
        guard let last = log.operations.last, let root = welcome.path.last,
            last.tree.map({ constantTimeEqual($0.check, NodeSecret.check(root)) }) ?? true
        else { throw CryptoError(.invalidOperation, "The secrets are not those of the last operation.") }
        return log
    }

    private mutating func enter(_ welcome: GroupWelcome, at now: UInt32) {
        guard let operation = log.operations.last, let root = welcome.path.last else { return }
        path = MemberPath(slot: welcome.slot, present: welcome.path)
        epochs.append(GroupEpoch(operation, root: root, state: log.state, wrap: wrap, at: now))
        boundEpochs()
    }

    /// Makes this node the owner if the key that it offered signs the next operation, and forgets the offer.
    mutating func takeOffer() {
        guard let key = offeredKey else { return }
        if key.publicKey == log.signingKey { ownerKey = key }
        offeredKey = nil
    }

    /// Notes that nothing is sealed in an epoch: it is over although the next one has not begun here, or its keys may have
    /// been used.
    mutating func note(endOf epoch: UInt32) {
        guard sealsFrom <= epoch else { return }
        sealsFrom = epoch.addingClamped(1)
        changed.insert(.group)
    }

    /// Erases the oldest epochs over the limit.
    mutating func boundEpochs() {
        for epoch in epochs.prefix(max(0, epochs.count - 1 - GroupLimits.maximumPastEpochs)) { markAll(of: epoch) }
        epochs.removeFirst(max(0, epochs.count - 1 - GroupLimits.maximumPastEpochs))
        eraseAheadKeys()
    }

    /// Erases the positions in chains of epochs that are gone.
    mutating func eraseAheadKeys() {
        let numbers = Set(epochs.map(\.number))
        aheadKeys.erase { !numbers.contains($0.epoch) }
    }
}
