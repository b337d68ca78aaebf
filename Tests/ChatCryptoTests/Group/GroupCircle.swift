import Testing

@testable import ChatCrypto

/// The members of one group, who pass each other operations and fresh secrets as their sessions would.
///
/// The owner is the first. A test leaves out the operations that a member has to miss.
struct GroupCircle {
    var identities: [Identity]
    var sessions: [GroupSession]
    var stores: [RecordStore]

    static let now = Person.start

    init(_ count: Int, policy: GroupPolicy = .standard) throws {
        let founder = Identity()
        let member = GroupMember(identity: founder.publicIdentity, nickname: nil)
        identities = [founder]
        let title = try GroupTitle("Trees")
        let created = try GroupSession.create(as: member, title: title, policy: policy, at: Self.now)
        sessions = [created.session]
        stores = [RecordStore()]
        stores[0].write(created.change)
        for start in stride(from: 1, to: count, by: GroupLimits.maximumEdits) {
            try add((start..<min(count, start + GroupLimits.maximumEdits)).map { _ in Identity() })
        }
    }

    /// Lets the owner add members in one operation, and passes it to all other members.
    mutating func add(
        _ more: [Identity],
        with others: [GroupAction] = [],
        by owner: Int = 0,
        at now: UInt32 = now
    ) throws {
        let adds = more.map { GroupAction.add(GroupMember(identity: $0.publicIdentity, nickname: nil)) }
        try perform(others + adds, by: owner, at: now)
        for identity in more { try join(identity, by: owner, at: now) }
    }

    /// Lets a new member join with the owner's welcome.
    mutating func join(_ identity: Identity, by owner: Int = 0, at now: UInt32 = now) throws {
        let welcome = try welcome(for: identity.publicIdentity.id, by: owner)
        let joined = try GroupSession.join(welcome, as: identity.publicIdentity, at: now)
        identities.append(identity)
        sessions.append(joined.session)
        stores.append(RecordStore())
        stores[stores.count - 1].write(joined.change)
    }

    /// The welcome of an owner for a member.
    func welcome(for member: PeerID, by owner: Int = 0) throws -> GroupWelcome {
        let made = sessions[owner].welcome(for: member, remainingSeconds: 0, bundles: [], maximumByteCount: .max)
        return try GroupWelcome(decoding: #require(made).encoded())
    }

    /// Lets the owner perform actions, and passes the operation to all other members.
    @discardableResult
    mutating func perform(_ actions: [GroupAction], by owner: Int = 0, at now: UInt32 = now) throws -> GroupUpdate {
        let (update, change) = try sessions[owner].perform(actions, at: now)
        stores[owner].write(change)
        spread(update, from: owner, at: now)
        return update
    }

    mutating func spread(_ update: GroupUpdate, from owner: Int, at now: UInt32 = now) {
        for index in sessions.indices where index != owner { _ = take(update, by: index, at: now) }
    }

    /// Lets a member apply an update as it travels.
    mutating func take(_ update: GroupUpdate, by index: Int, at now: UInt32 = now) -> LogOutcome {
        guard let operation = try? GroupOperation(decoding: update.operation.bytes) else { return .refused(.invalid) }
        let note = update.leaves.first { $0.member.identity == sessions[index].own }?.secret
        let leaf = note.flatMap { try? LeafSecret(decoding: $0.encoded()) }
        let (outcome, change) = sessions[index].apply(operation, leaf: leaf, at: now)
        stores[index].write(change)
        return outcome
    }

    /// Seals a text of a member.
    mutating func say(_ text: String, by speaker: Int, at now: UInt32 = now) throws -> InboundPacket {
        let sealed = try sessions[speaker].seal([Array(text.utf8)], by: identities[speaker], at: now)
        stores[speaker].write(sealed.change)
        return InboundPacket(kind: sealed.message.kind, body: sealed.message.body)
    }

    /// Opens a packet as one member and returns the result.
    mutating func hear(_ packet: InboundPacket, by listener: Int, at now: UInt32 = now) -> Heard {
        let opened = sessions[listener].open(packet, at: now)
        if let opened { stores[listener].write(opened.change) }
        return Heard(opened?.opening)
    }

    /// Restarts a member from its records.
    mutating func restart(_ index: Int) throws {
        let table = try GroupTable.restore(stores[index].records)
        sessions[index] = try #require(table[sessions[index].id])
    }

    func id(_ index: Int) -> PeerID { identities[index].publicIdentity.id }

    /// The header keys that members have for the present epoch.
    var headerKeys: [[UInt8]] { sessions.compactMap { $0.epochs.last?.headerKey.exposed } }

    /// Whether all members have the same log and the same keys.
    var agrees: Bool {
        let members = sessions.filter(\.isMember)
        return Set(members.map(\.log.hash)).count == 1 && Set(headerKeys).count == 1
            && Set(members.map(\.log.state.root)).count == 1
    }
}

/// The result of opening a packet, in a form that tests can compare.
enum Heard: Equatable {
    case nothing
    case text(String, PeerID)
    case notice(String)
    case needsDevice(PeerID, UInt8)
    case equivocation(PeerID)
    case refused

    init(_ opening: GroupOpening?) {
        switch opening {
        case nil: self = .nothing
        case .message(let contents, let sender, _): self = .text(Self.text(contents), sender.id)
        case .notice(let contents): self = .notice(Self.text(contents))
        case .needsDevice(let member, let device): self = .needsDevice(member.id, device)
        case .equivocation(let member): self = .equivocation(member.id)
        case .refused: self = .refused
        }
    }

    private static func text(_ contents: [[UInt8]]) -> String {
        contents.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
    }
}

/// Members without secret keys, for tests that need none.
enum PublicMembers {
    static func make(_ count: Int, seed: UInt64 = 1) throws -> [GroupMember] {
        var seeded = SeededBytes(seed: seed)
        return try (0..<count).map { index in
            let identity = PublicIdentity(signingKey: seeded.bytes(32), agreementKey: seeded.bytes(32))
            return GroupMember(identity: try #require(identity), nickname: try Nickname("Member \(index)"))
        }
    }

    /// Creates a group of an owner and this number of further members.
    static func group(_ count: Int, at now: UInt32 = GroupCircle.now) throws -> GroupSession {
        let founder = GroupMember(identity: Identity().publicIdentity, nickname: nil)
        let title = try GroupTitle("Many")
        var session = try GroupSession.create(as: founder, title: title, policy: .standard, at: now).session
        let members = try make(count)
        for start in stride(from: 0, to: count, by: GroupLimits.maximumEdits) {
            let some = members[start..<min(count, start + GroupLimits.maximumEdits)]
            _ = try session.perform(some.map { .add($0) }, at: now)
        }
        return session
    }
}
