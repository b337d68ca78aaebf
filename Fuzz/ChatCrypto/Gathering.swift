#if !FUZZING
    @testable import ChatCrypto
#endif

/// A group of three with a room's host, and its packets and records: the common start of the group targets.
///
/// The first member is the owner, the second the successor, and the first member has removed and added members before.
struct Gathering: Sendable {
    let identities: [Identity]
    let owner: GroupOwnerKey
    /// The sessions of the owner, of a member, and of another member.
    private(set) var sessions: [GroupSession]
    /// A message of the second member.
    private(set) var packet = InboundPacket(kind: .sealed, body: [])
    /// The welcome of the third member, with its state and with the digest of it.
    private(set) var welcomes: [[UInt8]] = []
    private(set) var checkpoint: [UInt8] = []
    /// The second member after a handover to it, without the secrets of all nodes.
    private(set) var heir: GroupSession
    /// The secrets of all nodes that belong to this handover.
    private(set) var secrets: [UInt8] = []
    /// The next operation: it removes the third member and gives the second one a fresh secret.
    let update: GroupUpdate

    init() {
        makeRandomnessRepeatable()
        let identities = (0..<3).map { _ in Identity() }
        let owner = GroupOwnerKey(of: identities[0])
        self.identities = identities
        self.owner = owner
        let members = identities.map { GroupMember(identity: $0.publicIdentity, nickname: nil) }
        var founder = required {
            try GroupSession.create(
                as: members[0],
                title: GroupTitle("Trees"),
                policy: .standard,
                ownerKey: owner,
                at: People.now
            ).session
        }
        _ = required { try founder.perform([.add(members[2])], at: People.now) }
        _ = required { try founder.perform([.remove(members[2].identity.id), .add(members[1])], at: People.now) }
        var member = Self.join(identities[1], founder)
        let policy = Self.policy(successor: member.slot, member.offerOwnership().publicKey)
        for actions in [[.policy(policy)], [.add(members[2])]] as [[GroupAction]] {
            let operation = required { try founder.perform(actions, at: People.now).update.operation }
            precondition(member.apply(operation, at: People.now).outcome == .applied)
        }
        var (giver, next) = (founder, member)
        let handover = GroupAction.handover(members[1].identity.id, signingKey: next.offerOwnership().publicKey)
        let handed = required { try giver.perform([handover], at: People.now).update }
        precondition(next.apply(handed.operation, at: People.now).outcome == .applied && next.needsTree)
        heir = next
        secrets = required { handed.tree }.exposed
        let sealed = required { try member.seal([[1, 2, 3]], by: identities[1], at: People.now) }
        packet = InboundPacket(kind: .sealed, body: sealed.message.body)
        sessions = [founder, member, Self.join(identities[2], founder)]
        checkpoint = required { founder.checkpoint }.encoded()
        welcomes = [RoomHost.maximumWelcomeByteCount, 2_200].map {
            Self.welcome(identities[2], founder, $0).encoded().exposed
        }
        update = required {
            let actions = [GroupAction.remove(members[2].identity.id), .renew(members[1].identity.id)]
            return try founder.perform(actions, at: People.now).update
        }
    }

    private static func welcome(_ member: Identity, _ owner: GroupSession, _ byteCount: Int) -> GroupWelcome {
        required {
            owner.welcome(
                for: member.publicIdentity.id,
                remainingSeconds: 60,
                bundles: [people.tables[1].bundle],
                maximumByteCount: byteCount
            )
        }
    }

    private static func join(_ member: Identity, _ owner: GroupSession) -> GroupSession {
        let welcome = welcome(member, owner, RoomHost.maximumWelcomeByteCount)
        return required { try GroupSession.join(welcome, as: member.publicIdentity, at: People.now).session }
    }

    private static func policy(successor slot: UInt16?, _ key: [UInt8]) -> GroupPolicy {
        required {
            GroupPolicy(
                history: .none,
                memberLimit: 9,
                life: 0,
                isEphemeral: false,
                successor: GroupPolicy.Successor(slot: required { slot }, signingKey: key)
            )
        }
    }
}

let gathering = Gathering()
