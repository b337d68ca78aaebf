import Testing

@testable import ChatCrypto

/// The members of one group, who pass each other operations and sender keys as their sessions would.
///
/// The owner is the first. A test leaves out the operations and keys that a member has to miss.
struct Circle {
    let identities: [Identity]
    var sessions: [GroupSession]

    static let now = Person.start

    init(_ count: Int) throws {
        let identities = (0..<count).map { _ in Identity() }
        let founder = GroupMember(identity: identities[0].publicIdentity, nickname: nil)
        let title = try GroupTitle("Trees")
        self.identities = identities
        sessions = [try GroupSession.create(as: founder, title: title, policy: .standard, at: Self.now).session]
        for identity in identities.dropFirst() { try take(identity) }
    }

    /// Lets the owner add a member, and passes the operation to all other members.
    mutating func take(_ identity: Identity) throws {
        let member = GroupMember(identity: identity.publicIdentity, nickname: nil)
        let update = try sessions[0].perform(.add(member), at: Self.now).update
        try spread(update)
        let offered = sessions[0].welcome(remainingSeconds: 0, bundles: [], maximumByteCount: .max)
        let welcome = try #require(offered)
        let read = try GroupWelcome(decoding: welcome.encoded())
        sessions.append(try GroupSession.join(read, as: identity.publicIdentity, at: Self.now).session)
    }

    /// Lets the owner perform an action, and passes the operation to all other members.
    mutating func perform(_ action: GroupOperation.Action, at now: UInt32 = Circle.now) throws {
        try spread(sessions[0].perform(action, at: now).update, at: now)
    }

    mutating func spread(_ update: GroupUpdate, at now: UInt32 = Circle.now) throws {
        let update = try GroupUpdate(decoding: update.encoded())
        for index in sessions.indices.dropFirst() { _ = sessions[index].apply(update, at: now) }
    }

    /// Seals a text of a member; a new sender key reaches all other members first.
    mutating func say(
        _ text: String,
        by speaker: Int,
        as kind: CarrierKind = .sealed,
        at now: UInt32 = Circle.now
    ) throws -> InboundPacket {
        let sealed = try sessions[speaker].seal(Array(text.utf8), as: kind, at: now)
        if let key = sealed.newKey { try hand(key, from: speaker, at: now) }
        return InboundPacket(kind: sealed.message.kind, body: sealed.message.body)
    }

    /// Passes a sender key to all other members.
    mutating func hand(_ key: SenderKeyMessage, from speaker: Int, at now: UInt32 = Circle.now) throws {
        let key = try SenderKeyMessage(decoding: key.encoded())
        for index in sessions.indices where index != speaker {
            _ = sessions[index].accept(key, from: sessions[speaker].own.id, at: now)
        }
    }

    /// Opens a packet as one member and returns the result.
    mutating func hear(_ packet: InboundPacket, by listener: Int, at now: UInt32 = Circle.now) -> Heard {
        Heard(sessions[listener].open(packet, at: now)?.opening)
    }

    func id(_ index: Int) -> PeerID { identities[index].publicIdentity.id }
}

/// The result of opening a packet, in a form that tests can compare.
enum Heard: Equatable {
    case nothing
    case text(String, PeerID)
    case needsKey
    case equivocation(PeerID)
    case refused

    init(_ opening: GroupOpening?) {
        switch opening {
        case nil: self = .nothing
        case .message(let contents, let sender):
            self = .text(String(decoding: contents.joined(), as: UTF8.self), sender.id)
        case .needsKey: self = .needsKey
        case .equivocation(let member): self = .equivocation(member.id)
        case .refused: self = .refused
        }
    }
}
