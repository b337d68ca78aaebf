/// Everything one member needs in one group: the log, the header keys, one's own sender key and the others'.
///
/// A pure value: it stores, sends and shows nothing. Each step that changes it also gives a `SessionChange`, which has to
/// be durable before a packet leaves or a text is shown; work on a copy and keep it once the change is written.
/// Invariant: one epoch for each operation that is remembered, rising, the last of them the log's; none once one is no
/// member any more. Source: PROTOCOL §16.
public struct GroupSession: Sendable {
    /// As whom one takes part; in a room an identity that is used for it alone.
    public let own: PublicIdentity
    /// Who is in the group, what it is called and who owns it.
    public internal(set) var log: MembershipLog
    /// The members who said that they leave, and whom the owner has not removed yet, in order of their IDs.
    public internal(set) var leavers: [PeerID] = []
    var ownerKey: GroupOwnerKey?
    /// The key that the group is to be handed over to, once its owner says so.
    var offeredKey: GroupOwnerKey?
    var epochs: [GroupEpoch]
    var senderKey: SenderKey?
    var received: [SenderKeyID: ReceivedSenderKey] = [:]
    let wrap: KeyWrap

    /// The group's name.
    public var id: GroupID { log.groupID }

    /// Whether one is a member; if not, all keys are gone.
    public var isMember: Bool { !epochs.isEmpty }

    /// Whether one signs the operations.
    public var isOwner: Bool { ownerKey != nil }

    /// The members to whom operations and sender keys go: everybody but oneself and the leavers.
    public var recipients: [GroupMember] {
        log.members.filter { $0.identity.id != own.id && !leavers.contains($0.identity.id) }
    }

    // MARK: - Beginning

    /// Founds a group with oneself as its only member.
    ///
    /// - Parameter ownerKey: a fresh key, or that of the identity that hosts a room.
    public static func found(
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

    /// Joins a group by its owner's welcome.
    ///
    /// - Throws: `invalidOperation` if operations are missing; `notMember` if the log does not name oneself; `frozen`.
    public static func join(
        _ welcome: GroupWelcome,
        as own: PublicIdentity,
        at now: UInt32
    ) throws(CryptoError) -> (session: GroupSession, change: SessionChange) {
        try join(welcome, log: welcome.log, as: own, at: now)
    }

    /// Joins with the rest of a log that did not fit into its welcome.
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
        guard log.member(own.id) != nil else { throw CryptoError(.notMember, "One is no member of the group.") }
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
        // A newcomer has no key of an earlier epoch, and takes none.
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

    // MARK: - Keeping

    /// The record of the group without its sender keys.
    func saved() -> SessionChange {
        var change = SessionChange()
        change.save(.group, id.bytes, encoded())
        return change
    }

    /// What deletes the group from storage.
    public func deletion() -> SessionChange {
        var change = SessionChange()
        change.delete(.group, id.bytes)
        change.append(keyDeletion())
        return change
    }

    /// What deletes all sender keys.
    func keyDeletion() -> SessionChange {
        var change = SessionChange()
        for key in received.keys.sorted() { change.delete(.receivedKey, id.bytes + key.bytes) }
        return change
    }
}

extension MembershipLog {
    /// The newest epoch that began with a fresh header key, the first counted in.
    var freshSince: UInt32 {
        operations.last { $0.action.bringsHeaderKey }?.epoch ?? 1
    }
}
