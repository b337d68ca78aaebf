#if !FUZZING
    @testable import ChatCrypto
#endif

/// A group of three with a room's host, and its packets and records: the common start of the group targets.
struct Gathering: Sendable {
    let identities: [Identity]
    let owner: GroupOwnerKey
    /// The sessions of the owner, of a member, and of another member.
    private(set) var sessions: [GroupSession]
    private(set) var packet = InboundPacket(kind: .sealed, body: [])
    private(set) var senderKey: [UInt8] = []
    private(set) var update: [UInt8] = []
    private(set) var welcome: [UInt8] = []

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
        for member in members.dropFirst() { _ = required { try founder.perform(.add(member), at: People.now) } }
        let greeting = required {
            founder.welcome(
                remainingSeconds: 60,
                bundles: [people.tables[1].bundle],
                maximumByteCount: RoomHost.maximumWelcomeByteCount
            )
        }
        welcome = greeting.encoded().exposed
        var sessions = [founder]
        for identity in identities.dropFirst() {
            let joined = required { try GroupSession.join(greeting, as: identity.publicIdentity, at: People.now) }
            sessions.append(joined.session)
        }
        let sealed = required { try sessions[1].seal([[1, 2, 3]], at: People.now) }
        let key = required { sealed.newKey }
        senderKey = key.encoded().exposed
        packet = InboundPacket(kind: .sealed, body: sealed.message.body)
        let maker = identities[1].publicIdentity.id
        _ = sessions[0].accept(key, from: maker, at: People.now)
        self.sessions = sessions
        var next = sessions[0]
        update = required { try next.perform(.remove(members[2].identity.id), at: People.now).update }.encoded().exposed
    }
}

let gathering = Gathering()
