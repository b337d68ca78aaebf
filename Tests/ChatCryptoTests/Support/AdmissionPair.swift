import Testing

@testable import ChatCrypto

/// A host with its room, and the steps of joiners that ask to join.
struct AdmissionPair {
    let identity = Identity()
    let bundle: PrekeyBundle
    var host: RoomHost
    var group: GroupSession

    static let now = Person.start

    init(_ admission: RoomAdmission = .code) throws {
        bundle = try KeptBook.bundle(of: identity, nickname: "Host")
        group = try GroupSession.create(
            as: GroupMember(identity: identity.publicIdentity, nickname: nil),
            title: GroupTitle("Room"),
            policy: .standard,
            ownerKey: GroupOwnerKey(of: identity),
            at: Self.now
        ).session
        host = RoomHost(room: group.id, as: identity, admission: admission, at: Self.now)
    }

    mutating func beacon(at now: UInt32 = AdmissionPair.now) throws -> RoomBeacon {
        try RoomBeacon(verifying: host.beacon(remainingSeconds: 3_600, at: now).bytes)
    }

    /// Returns the host's step for a received body; the host admits every applicant that it may admit.
    mutating func receive(_ body: [UInt8], at now: UInt32 = AdmissionPair.now) throws -> RoomHostStep {
        switch RoomPacket(decoding: body) {
        case .hello(let hello): return host.receive(hello, at: now)
        case .request(let request):
            let hasCapacity = group.log.members.count < Int(group.log.policy.memberLimit)
            var step = host.receive(request, hasCapacity: hasCapacity, bundle: bundle, at: now)
            guard let applicant = step.applicant else { return step }
            let member = GroupMember(identity: applicant.bundle.identity, nickname: applicant.bundle.nickname)
            _ = try group.perform([.add(member)], at: now)
            let welcome = group.welcome(
                for: member.identity.id,
                remainingSeconds: 3_600,
                bundles: [bundle],
                maximumByteCount: RoomHost.maximumWelcomeByteCount
            )
            step.reply = host.admit(applicant, with: try #require(welcome))
            return step
        default: return RoomHostStep()
        }
    }

    /// Returns the host's answer to a body; a missing answer fails the test.
    mutating func answer(_ body: [UInt8], at now: UInt32 = AdmissionPair.now) throws -> [UInt8] {
        let reply = try receive(body, at: now).reply
        return try #require(reply)
    }

    /// Runs a whole join; nil if it reaches no decision.
    mutating func join(_ joiner: inout RoomJoiner, at now: UInt32 = AdmissionPair.now) throws -> JoinDecision? {
        let hello = try joiner.joinRequest(at: try beacon(at: now))
        guard let answer = try receive(hello, at: now).reply, let answered = RoomPacket(decoding: answer),
            case .send(let request) = joiner.receive(answered),
            let reply = try receive(request, at: now).reply, let replied = RoomPacket(decoding: reply),
            case .decided(let decision, host: identity.publicIdentity) = joiner.receive(replied)
        else { return nil }
        return decision
    }

    /// Makes one wrong guess under a new identity and returns whether the host answered it.
    mutating func guess(at now: UInt32 = AdmissionPair.now) throws -> Bool {
        var joiner = try NewMember(wrongFor: host).joiner
        let hello = try joiner.joinRequest(at: try beacon(at: now))
        guard let answer = try receive(hello, at: now).reply, let packet = RoomPacket(decoding: answer) else {
            return false
        }
        guard case .wrongCode = joiner.receive(packet) else {
            Issue.record("a wrong guess is told")
            return true
        }
        return true
    }
}

/// A joiner with a new identity.
struct NewMember {
    let identity = Identity()
    var joiner: RoomJoiner

    init(_ key: RoomKey, nickname: String? = "Guest") throws {
        joiner = RoomJoiner(with: key, bundle: try KeptBook.bundle(of: identity, nickname: nickname))
    }

    /// Makes a joiner with a code of the right door number and digits that differ from those of the current code.
    init(wrongFor host: RoomHost) throws {
        let door = RoomCode.door(of: host.room)
        let text = host.code?.text ?? ""
        let wrong = text.hasSuffix("000000") ? "000001" : "000000"
        try self.init(.code(try #require(RoomCode((door < 10 ? "0" : "") + "\(door)" + wrong))))
    }
}

/// Decodes a received body; a missing or malformed body fails the test.
func packet(_ body: [UInt8]?) throws -> RoomPacket {
    let packet = body.flatMap { RoomPacket(decoding: $0) }
    return try #require(packet)
}
