import Testing

@testable import ChatCrypto

@Suite("Members that wait for the next epoch of a group")
struct GroupWaitingTests {
    private static func seals(_ circle: inout GroupCircle, _ member: Int) -> CryptoError.Code? {
        do {
            _ = try circle.sessions[member].seal([[1]], by: circle.identities[member], at: GroupCircle.now)
            return nil
        } catch { return error.code }
    }

    @Test("Nothing is sealed while an operation waits for a secret; notices are, and the wait survives a restart")
    func missingLeaf() throws {
        var circle = try GroupCircle(4)
        let (update, change) = try circle.sessions[0].perform([.renew(circle.id(2))], at: GroupCircle.now)
        circle.stores[0].write(change)
        let (outcome, noted) = circle.sessions[2].apply(update.operation, at: GroupCircle.now)
        circle.stores[2].write(noted)
        #expect(outcome == .refused(.needsLeaf) && circle.sessions[2].mustWait)
        #expect(Self.seals(&circle, 2) == .mustWait)
        try circle.restart(2)
        #expect(Self.seals(&circle, 2) == .mustWait)
        let notice = try circle.sessions[2].sealNotice([[5]])
        #expect(circle.hear(InboundPacket(kind: .sealed, body: notice.body), by: 1) == .notice("\u{5}"))
        #expect(try circle.sessions[2].sealNotice([[5]], epoch: circle.sessions[2].log.epoch) != nil)
        let late = try circle.say("late", by: 1)
        #expect(circle.hear(late, by: 2) == .text("late", circle.id(1)))
        circle.spread(update, from: 0)
        #expect(!circle.sessions[2].mustWait && Self.seals(&circle, 2) == nil && circle.agrees)
        try circle.restart(2)
        #expect(Self.seals(&circle, 2) == nil)
    }

    @Test("A member that cannot follow seals nothing before its welcome, and no foreign operation makes it wait")
    func missingPath() throws {
        var circle = try GroupCircle(4)
        let stranger = GroupForger.operation([.remove(3)], after: circle.sessions[0].log, by: GroupOwnerKey())
        #expect(circle.sessions[1].apply(stranger, at: GroupCircle.now).outcome == .refused(.notSigned))
        #expect(!circle.sessions[1].mustWait)
        // The path of the member leads nowhere.
        let secrets = (0..<3).map { _ in SecretBytes.random(count: 32) }
        circle.sessions[1].path = MemberPath(slot: 1, stepped: secrets)
        let update = try circle.perform([.remove(circle.id(3))])
        #expect(circle.take(update, by: 1) == .refused(.needsPath))
        #expect(Self.seals(&circle, 1) == .mustWait && circle.sessions[1].log.epoch + 1 == update.operation.epoch)
        _ = try circle.sessions[1].rejoin(circle.welcome(for: circle.id(1)), at: GroupCircle.now)
        #expect(Self.seals(&circle, 1) == nil && circle.sessions[1].log.hash == circle.sessions[0].log.hash)
        try circle.perform([.renewBlock])
        #expect(circle.sessions[1].log.epoch == update.operation.epoch + 1)
    }

    @Test("A member that joins in a later epoch than its own may have written in it, and waits for the next")
    func lateJoin() throws {
        var circle = try GroupCircle(3)
        #expect(circle.sessions.allSatisfy { !$0.mustWait })
        let own = circle.sessions[1].own
        let again = try GroupSession.join(circle.welcome(for: own.id), as: own, at: GroupCircle.now)
        #expect(!again.session.mustWait, "the epoch that added it")
        try circle.perform([.rename(GroupTitle("Later"))])
        let (late, change) = try GroupSession.join(circle.welcome(for: own.id), as: own, at: GroupCircle.now)
        circle.sessions[1] = late
        circle.stores[1] = RecordStore()
        circle.stores[1].write(change)
        #expect(Self.seals(&circle, 1) == .mustWait)
        try circle.restart(1)
        #expect(Self.seals(&circle, 1) == .mustWait)
        try circle.perform([.renew(own.id)])
        #expect(Self.seals(&circle, 1) == nil && circle.agrees)
    }

    @Test("An owner that cannot know the secrets of an epoch writes nothing in it that nobody reads")
    func lostEpoch() throws {
        var circle = try GroupCircle(4)
        let old = circle.sessions[0]
        let update = try circle.perform([.renewBlock])
        circle.sessions[0] = old
        #expect(circle.sessions[0].apply(update.operation, at: GroupCircle.now).outcome == .applied)
        #expect(Self.seals(&circle, 0) == .mustWait && circle.sessions[0].slotsToRepair == [0, 1, 2, 3])
        let (repair, change) = try circle.sessions[0].repair(at: GroupCircle.now)
        circle.stores[0].write(change)
        circle.spread(repair, from: 0)
        #expect(Self.seals(&circle, 0) == nil && circle.agrees)
    }

    @Test("A welcome whose secrets are not those of its last operation is refused, and one with other secrets is taken")
    func otherSecrets() throws {
        var circle = try GroupCircle(4)
        try circle.perform([.remove(circle.id(3))])
        let own = circle.sessions[1].own
        let checkpoint = try circle.checkpoint(of: 0).encoded()
        let wrong = try GroupForger.welcome(checkpoint, of: circle.sessions[0].log, slot: 1)
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try GroupSession.join(wrong, as: own, at: GroupCircle.now)
        }
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try circle.sessions[1].rejoin(wrong, at: GroupCircle.now)
        }
        // An operation without fresh secrets has no hash of the root, so the path alone shows the difference.
        try circle.perform([.policy(.standard)])
        let right = circle.sessions[1]
        let later = try circle.checkpoint(of: 0).encoded()
        _ = try circle.sessions[1].rejoin(
            GroupForger.welcome(later, of: circle.sessions[0].log, slot: 1),
            at: GroupCircle.now
        )
        #expect(!circle.agrees && circle.sessions[1].epochs.count == right.epochs.count)
        let change = try circle.sessions[1].rejoin(circle.welcome(for: own.id), at: GroupCircle.now)
        circle.stores[1].write(change)
        #expect(circle.agrees && circle.sessions[1].epochs.count == right.epochs.count)
        let packet = try circle.say("with the right keys", by: 2)
        #expect(circle.hear(packet, by: 1) == .text("with the right keys", circle.id(2)))
        try circle.restart(1)
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try circle.sessions[1].rejoin(circle.welcome(for: own.id), at: GroupCircle.now)
        }
    }

    @Test("A member to whom the group was handed over while it was late becomes the owner by its welcome")
    func lateOwner() throws {
        var circle = try GroupCircle(4)
        let (key, change) = circle.sessions[2].offerOwnership()
        circle.stores[2].write(change)
        let late = circle.sessions[2]
        try circle.perform([.renewBlock])
        let update = try circle.perform([.handover(circle.id(2), signingKey: key)])
        circle.sessions[2] = late
        #expect(circle.take(update, by: 2) == .gap(next: late.log.epoch + 1))
        // The path of this welcome leads nowhere, so the secrets of the owner before do not fit it.
        let slot = try #require(late.slot)
        let welcome = try GroupForger.welcome(
            circle.checkpoint(of: 0).encoded(),
            of: circle.sessions[0].log,
            slot: slot
        )
        _ = try circle.sessions[2].rejoin(welcome, at: GroupCircle.now)
        #expect(circle.sessions[2].isOwner && circle.sessions[2].needsTree && circle.sessions[2].offeredKey == nil)
        #expect(circle.sessions[2].treeGiver == circle.id(0))
        let tree = try #require(update.tree)
        #expect(throws: CryptoError(.malformed, "")) { try circle.sessions[2].takeTree(tree, from: circle.id(0)) }
        #expect(throws: CryptoError(.notOwner, "")) { try circle.sessions[2].takeTree(tree, from: circle.id(1)) }
        // Another key than the offered one makes no owner.
        circle.sessions[2] = late
        circle.sessions[2].offeredKey = GroupOwnerKey()
        _ = try circle.sessions[2].rejoin(welcome, at: GroupCircle.now)
        #expect(!circle.sessions[2].isOwner)
    }
}
