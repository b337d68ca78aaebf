/// The state that one member needs in one group: the log, the header keys, this member's own sender key and those of
/// the other members.
///
/// A pure value: it stores, sends and shows nothing. Each step that changes it also answers a `SessionChange`. This
/// change has to be durable before a packet leaves or a text is shown. Work on a copy, and keep the copy once the
/// change is written. Invariant: one epoch for each remembered operation, in rising order, and the last one is that of
/// the log. There are no epochs after this node has left the group. Source: PROTOCOL §16.
public struct GroupSession: Sendable {
    /// The identity under which this node takes part.
    ///
    /// In a room it is an identity that is used for this room alone.
    public let own: PublicIdentity
    /// The log of members, title and owner.
    public internal(set) var log: MembershipLog
    /// The members that announced their departure and that the owner has not removed yet, in order of their IDs.
    public internal(set) var leavers: [PeerID] = []
    var ownerKey: GroupOwnerKey?
    /// The key to which the owner may hand the group over.
    var offeredKey: GroupOwnerKey?
    var epochs: [GroupEpoch]
    var senderKey: SenderKey?
    var received: [SenderKeyID: ReceivedSenderKey] = [:]
    let wrap: KeyWrap

    /// The group's name.
    public var id: GroupID { log.groupID }

    /// Whether this node is a member; if not, all keys are erased.
    public var isMember: Bool { !epochs.isEmpty }

    /// Whether this node signs the operations.
    public var isOwner: Bool { ownerKey != nil }

    /// The members that get operations and sender keys: all except this node and the leavers.
    public var recipients: [GroupMember] {
        log.members.filter { $0.identity.id != own.id && !leavers.contains($0.identity.id) }
    }

    // MARK: - Beginning

    /// Creates a group whose only member is its creator.
    ///
    /// - Parameters:
    ///   - founder: the creator.
    ///   - title: the first title.
    ///   - policy: the first settings.
    ///   - ownerKey: a fresh key, or the key of the identity that hosts a room.
    ///   - now: seconds since 1970 by the local clock.
    public static func create(
        as founder: GroupMember,
        title: GroupTitle,
        policy: GroupPolicy,
        ownerKey: GroupOwnerKey = GroupOwnerKey(),
        at now: UInt32
    ) throws(CryptoError) -> (session: GroupSession, change: SessionChange) {
        var log = MembershipLog(foundingKey: ownerKey.publicKey)
        for action in [GroupOperation.Action.add(founder), .rename(title), .policy(policy)] {
            _ = try log.append(action, headerKeyHash: nil, by: ownerKey)
        }
        let session = GroupSession(log: log, own: founder.identity, headerKey: .random(count: 32), ownerKey, at: now)
        return (session, session.saved())
    }

    /// Joins a group with its owner's welcome.
    ///
    /// - Throws: `invalidOperation` if operations are missing; `notMember` if the log does not name this node;
    ///   `frozen`.
    public static func join(
        _ welcome: GroupWelcome,
        as own: PublicIdentity,
        at now: UInt32
    ) throws(CryptoError) -> (session: GroupSession, change: SessionChange) {
        try join(welcome, log: welcome.log, as: own, at: now)
    }

    /// Joins with the complete log if the log did not fit into the welcome.
    public static func join(
        _ welcome: GroupWelcome,
        log: MembershipLog,
        as own: PublicIdentity,
        at now: UInt32
    ) throws(CryptoError) -> (session: GroupSession, change: SessionChange) {
        guard log.groupID == welcome.log.groupID, log.epoch == welcome.epoch else {
            throw CryptoError(.invalidOperation, "Operations of the group are missing.")
        }
        guard log.fork == nil else { throw LogRefusal.frozen.error }
        guard log.member(own.id) != nil else {
            throw CryptoError(.notMember, "This identity is not a member of the group.")
        }
        let session = GroupSession(log: log, own: own, headerKey: welcome.headerKey, nil, at: now)
        return (session, session.saved())
    }

    private init(
        log: MembershipLog,
        own: PublicIdentity,
        headerKey: SecretBytes,
        _ ownerKey: GroupOwnerKey?,
        at now: UInt32
    ) {
        self.log = log
        self.own = own
        self.ownerKey = ownerKey
        wrap = KeyWrap()
        // A new member has no key of an earlier epoch and takes none.
        let epoch = log.epoch
        epochs = [
            GroupEpoch(
                number: epoch,
                group: log.groupID,
                hash: log.hash,
                headerKey: headerKey,
                freshSince: log.freshSince,
                begunAt: now
            )
        ]
    }

    init(own: PublicIdentity, log: MembershipLog, epochs: [GroupEpoch], wrap: KeyWrap) {
        self.own = own
        self.log = log
        self.epochs = epochs
        self.wrap = wrap
    }

    // MARK: - Persistence

    /// Makes the change that stores the group without its sender keys.
    func saved() -> SessionChange {
        var change = SessionChange()
        change.save(.group, id.bytes, encoded())
        return change
    }

    /// Makes the change that deletes the group from storage.
    public func deletion() -> SessionChange {
        var change = SessionChange()
        change.delete(.group, id.bytes)
        change.append(keyDeletion())
        return change
    }

    /// Makes the change that deletes all sender keys.
    func keyDeletion() -> SessionChange {
        var change = SessionChange()
        for key in received.keys.sorted() { change.delete(.receivedKey, id.bytes + key.bytes) }
        return change
    }
}

extension MembershipLog {
    /// The newest epoch that began with a fresh header key; the first epoch counts as one.
    var freshSince: UInt32 {
        operations.last { $0.action.bringsHeaderKey }?.epoch ?? 1
    }
}
