import Testing

@testable import ChatCrypto

@Suite("Welcomes that continue a group")
struct GroupContinuingTests {
    /// A checkpoint of a far epoch with arbitrary members, signed by a key, and a welcome with it for the second member.
    private static func welcome(
        _ circle: GroupCircle,
        _ proofs: [GroupOperation],
        state: LogState,
        ahead: UInt32 = 40,
        by key: GroupOwnerKey
    ) throws -> GroupWelcome {
        let log = circle.sessions[1].log
        let last = GroupOperation(
            [],
            of: log.groupID,
            epoch: log.epoch + ahead,
            after: [UInt8](repeating: 7, count: 32),
            result: (state.root, state.table.depth),
            tree: nil,
            by: key
        )
        return try GroupForger.welcome(GroupForger.checkpoint(proofs, last, state), of: log, slot: 1)
    }

    private static func isTaken(_ welcome: GroupWelcome, by session: GroupSession) -> Bool {
        var session = session
        return (try? session.rejoin(welcome, at: GroupCircle.now)) != nil
    }

    @Test("A former owner cannot make a member rejoin without the transfers that the member knows")
    func formerOwner() throws {
        var circle = try GroupCircle(4)
        let founder = circle.sessions[0]
        let first = try circle.handOver(from: 0, to: 2)
        let second = circle.sessions[2]
        _ = try circle.handOver(from: 2, to: 3)
        let own = circle.sessions[1].log
        let (founderKey, secondKey) = (try #require(founder.ownerKey), try #require(second.ownerKey))
        let withoutAny = try Self.welcome(circle, [], state: founder.log.state, by: founderKey)
        let withoutLast = try Self.welcome(circle, [first], state: second.log.state, by: secondKey)
        #expect(!Self.isTaken(withoutAny, by: circle.sessions[1]))
        #expect(!Self.isTaken(withoutLast, by: circle.sessions[1]))
        // A member that knows of no transfer cannot see the lack, until it sees the handover.
        var led = founder.member(circle.sessions[1])
        _ = try led.rejoin(withoutAny, at: GroupCircle.now)
        #expect(led.apply(circle.sessions[1].log.operations[0], at: GroupCircle.now).outcome == .refused(.tooOld))
        guard case .forked(let fork) = led.apply(first, at: GroupCircle.now).outcome else {
            Issue.record("the handover proves two histories")
            return
        }
        #expect(fork.other == first && led.log.fork != nil)
        // An own handover of the former owner, for another epoch, is no transfer that the member knows.
        let other = GroupForger.operation(
            [.handover(1, signingKey: secondKey.publicKey)],
            after: founder.log,
            epoch: own.epoch,
            by: founderKey
        )
        let branched = try Self.welcome(circle, [other], state: second.log.state, by: secondKey)
        #expect(!Self.isTaken(branched, by: circle.sessions[1]))
    }

    @Test("A successor without the right to take over cannot make a member rejoin, and one with it can")
    func formerSuccessor() throws {
        var circle = try GroupCircle(4)
        let grant = try circle.name(3)
        let key = try #require(circle.sessions[3].offeredKey)
        func takeover(_ log: MembershipLog) -> GroupOperation {
            GroupForger.operation([.takeover], after: log, epoch: circle.sessions[1].log.epoch + 3, by: key)
        }
        var state = circle.sessions[0].log.state
        _ = try state.apply([.takeover], at: 9, signingKey: key.publicKey)
        let before = circle.sessions[0].log
        let rightful = try Self.welcome(circle, [grant, takeover(before)], state: state, by: key)
        #expect(Self.isTaken(rightful, by: circle.sessions[1]))
        try circle.perform([.policy(.standard)])
        let late = try Self.welcome(circle, [grant, takeover(before)], state: state, by: key)
        #expect(!Self.isTaken(late, by: circle.sessions[1]), "the policy has another successor, or none")
    }

    @Test("A present right of a successor that the member does not know is refused")
    func inventedGrant() throws {
        var circle = try GroupCircle(4)
        let key = try #require(circle.sessions[0].ownerKey)
        let grant = try circle.name(3)
        let state = circle.sessions[0].log.state
        try circle.perform([.policy(.standard)])
        #expect(!Self.isTaken(try Self.welcome(circle, [grant], state: state, by: key), by: circle.sessions[1]))
        let none = circle.sessions[0].log.state
        #expect(Self.isTaken(try Self.welcome(circle, [], state: none, by: key), by: circle.sessions[1]))
    }

    @Test("The next operation of a welcome follows the known history, and the same one has to be the same")
    func history() throws {
        let circle = try GroupCircle(3)
        let key = try #require(circle.sessions[0].ownerKey)
        let log = circle.sessions[1].log
        for ahead in [0, 1] as [UInt32] {
            let welcome = try Self.welcome(circle, [], state: log.state, ahead: ahead, by: key)
            #expect(!Self.isTaken(welcome, by: circle.sessions[1]), "\(ahead) ahead")
        }
        let next = try Self.welcome(circle, [], state: log.state, ahead: 2, by: key)
        #expect(Self.isTaken(next, by: circle.sessions[1]))
    }

    @Test("Late members and new ones follow a takeover with welcomes, and welcome others")
    func takeover() throws {
        var circle = try GroupCircle(5)
        try circle.name(3)
        // The checkpoint of a new member, and of a successor that has rejoined, has the right of the successor.
        try circle.add([Identity()])
        var late = circle.sessions[1]
        try circle.perform([.rename(GroupTitle("Later"))])
        #expect(try circle.sessions[3].log.grant == circle.checkpoint(of: 5).log(at: 0).grant)
        try circle.takeOver(by: 3)
        try circle.perform([.renewBlock], by: 3)
        #expect(circle.agrees && circle.sessions[3].log.blocksToRenew == 0)
        for member in circle.sessions.indices {
            let log = try circle.checkpoint(of: member).log(at: 0)
            #expect(log.transfers.map(\.edits) == circle.sessions[3].log.transfers.map(\.edits))
            #expect(log.signingKey == circle.sessions[3].log.signingKey && log.grant == nil)
        }
        _ = try late.rejoin(circle.welcome(for: late.own.id, by: 3), at: GroupCircle.now)
        #expect(late.log.hash == circle.sessions[3].log.hash && late.log.owner == circle.id(3))
        let identity = Identity()
        try circle.perform([.add(GroupMember(identity: identity.publicIdentity, nickname: nil))], by: 3)
        let welcome = try circle.welcome(for: identity.publicIdentity.id, by: 3)
        let joined = try GroupSession.join(welcome, as: identity.publicIdentity, at: GroupCircle.now).session
        #expect(joined.log.hash == circle.sessions[3].log.hash && joined.log.transfers.count == 2)
        #expect(joined.log.continues(late.log) && !late.log.continues(joined.log))
    }

    @Test("A successor that has rejoined takes over, and new members join")
    func rejoinedSuccessor() throws {
        var circle = try GroupCircle(4)
        try circle.name(2)
        try circle.perform([.renewBlock])
        _ = try circle.sessions[2].rejoin(circle.welcomeAfterLoss(of: 2), at: GroupCircle.now)
        #expect(circle.sessions[2].log.grant != nil)
        try circle.takeOver(by: 2)
        #expect(circle.agrees && circle.sessions[2].slotsToRepair.isEmpty)
        let identity = Identity()
        try circle.perform([.add(GroupMember(identity: identity.publicIdentity, nickname: nil))], by: 2)
        let welcome = try circle.welcome(for: identity.publicIdentity.id, by: 2)
        let joined = try GroupSession.join(welcome, as: identity.publicIdentity, at: GroupCircle.now).session
        #expect(joined.log.owner == circle.id(2))
    }

    @Test("Who left and came back while a member was late is no leaver after that member's welcome")
    func returned() throws {
        var circle = try GroupCircle(4)
        _ = circle.sessions[1].noteLeaving(circle.id(2))
        _ = circle.sessions[1].noteLeaving(circle.id(3))
        let member = GroupMember(identity: circle.identities[2].publicIdentity, nickname: nil)
        for action in [GroupAction.removeLeaver(circle.id(2)), .add(member)] {
            _ = try circle.sessions[0].perform([action], at: GroupCircle.now)
        }
        _ = try circle.sessions[1].rejoin(circle.welcome(for: circle.id(1)), at: GroupCircle.now)
        #expect(circle.sessions[1].leavers == [circle.id(3)])
    }
}

extension GroupSession {
    /// This state of the group at another member, with that member's secrets.
    func member(_ other: GroupSession) -> GroupSession {
        var copy = self
        (copy.ownerKey, copy.tree) = (nil, nil)
        copy.path = other.path
        return copy.with(own: other.own)
    }

    private func with(own: PublicIdentity) -> GroupSession {
        var session = GroupSession(own: own, device: device, log: log, wrap: wrap)
        (session.path, session.epochs) = (path, epochs)
        return session
    }
}

extension GroupCircle {
    /// Lets a member lose an operation, and returns the owner's welcome for it.
    mutating func welcomeAfterLoss(of member: Int) throws -> GroupWelcome {
        let before = sessions[member]
        try perform([.rename(GroupTitle("Lost"))])
        sessions[member] = before
        return try welcome(for: id(member))
    }
}
