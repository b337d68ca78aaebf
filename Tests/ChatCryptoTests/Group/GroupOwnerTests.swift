import Testing

@testable import ChatCrypto

@Suite("Owners of groups with a key tree")
struct GroupOwnerTests {
    @Test("An owner restored from an old state signs a second history, and each member can prove it")
    func fork() throws {
        var circle = try GroupCircle(3)
        var old = circle.sessions[0]
        let one = try circle.perform([.remove(circle.id(2))]).operation
        try circle.perform([.policy(.standard)])
        let two = try old.perform([.rename(GroupTitle("Other"))], at: GroupCircle.now).update
        let proof = GroupFork(own: one, other: two.operation)
        #expect(circle.take(two, by: 1) == .forked(proof))
        #expect(circle.sessions[1].log.fork == proof)
        try circle.restart(1)
        #expect(circle.sessions[1].log.fork == proof)
        let next = try circle.sessions[0].perform([.policy(.standard)], at: GroupCircle.now).update
        #expect(circle.take(next, by: 1) == .refused(.frozen))
        #expect(throws: CryptoError(.frozen, "")) { try circle.say("frozen", by: 1) }
        // The next operation of the other history proves the same.
        let following = try old.perform([.policy(.standard)], at: GroupCircle.now).update
        #expect(circle.sessions[0].apply(two.operation, at: GroupCircle.now).outcome == .forked(proof))
        var late = try GroupCircle(1).sessions[0]
        #expect(late.apply(following.operation, at: GroupCircle.now).outcome == .refused(.otherGroup))
    }

    @Test("The same operation signed twice is the same, and a forged one is no proof")
    func signedTwice() throws {
        var circle = try GroupCircle(2)
        let update = try circle.perform([.policy(.standard)])
        var bytes = update.operation.bytes
        bytes[bytes.count - 1] ^= 1
        #expect(circle.sessions[1].apply(try GroupOperation(decoding: bytes), at: GroupCircle.now).outcome == .known)
        bytes[30] ^= 1
        let forged = try GroupOperation(decoding: bytes)
        #expect(circle.sessions[1].apply(forged, at: GroupCircle.now).outcome == .refused(.notSigned))
    }

    @Test("An owner that lost operations takes them from a member and gives fresh secrets to those it does not know")
    func lostOperations() throws {
        var circle = try GroupCircle(9)
        let old = circle.sessions[0]
        try circle.add([Identity(), Identity()], with: [.remove(circle.id(3))])
        try circle.perform([.renew(circle.id(5)), .renew(circle.id(0))])
        try circle.perform([.rename(GroupTitle("Later"))])
        circle.sessions[0] = old
        for operation in circle.sessions[1].operations(from: old.log.epoch + 1, limit: 64) {
            #expect(circle.sessions[0].apply(operation, at: GroupCircle.now).outcome == .applied)
        }
        #expect(circle.sessions[0].slotsToRepair == [0, 5, 9, 10])
        let id = circle.id(4)
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try circle.sessions[0].perform([.add(PublicMembers.make(1)[0])], at: GroupCircle.now)
        }
        let (update, change) = try circle.sessions[0].repair(at: GroupCircle.now)
        circle.stores[0].write(change)
        circle.spread(update, from: 0)
        #expect(circle.agrees && circle.sessions[0].slotsToRepair.isEmpty)
        try circle.perform([.remove(id)])
        try circle.add([Identity()])
        let packet = try circle.say("repaired", by: 11)
        #expect(circle.hear(packet, by: 0) == .text("repaired", circle.id(11)) && circle.agrees)
    }

    @Test("A handover makes another member the owner, with all secrets, and the one before none")
    func handover() throws {
        var circle = try GroupCircle(4)
        let (publicKey, _) = circle.sessions[2].offerOwnership()
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try circle.perform([.policy(.standard), .handover(circle.id(2), signingKey: publicKey)])
        }
        let update = try circle.perform([.handover(circle.id(2), signingKey: publicKey)])
        #expect(circle.sessions.map(\.isOwner) == [false, false, true, false])
        #expect(circle.sessions[0].tree == nil && circle.sessions[2].needsTree)
        #expect(throws: CryptoError(.notOwner, "")) { try circle.perform([.policy(.standard)]) }
        let secrets = try #require(update.tree)
        #expect(throws: CryptoError(.malformed, "")) {
            try circle.sessions[2].takeTree(SecretBytes(copying: secrets.exposed.dropLast(8)), from: circle.id(0))
        }
        circle.stores[2].write(try circle.sessions[2].takeTree(secrets, from: circle.id(0)))
        try circle.restart(2)
        #expect(circle.sessions[2].log.blocksToRenew == 1)
        try circle.perform([.renewBlock], by: 2)
        #expect(circle.sessions[2].log.blocksToRenew == 0)
        try circle.perform([.remove(circle.id(0))], by: 2)
        #expect(circle.agrees && !circle.sessions[0].isMember)
        // A new member verifies the handover.
        let identity = Identity()
        let member = GroupMember(identity: identity.publicIdentity, nickname: nil)
        try circle.perform([.add(member)], by: 2)
        let made = circle.sessions[2].welcome(
            for: member.identity.id,
            remainingSeconds: 0,
            bundles: [],
            maximumByteCount: .max
        )
        let read = try GroupWelcome(decoding: #require(made).encoded())
        let joined = try GroupSession.join(read, as: member.identity, at: GroupCircle.now).session
        #expect(joined.log.owner == circle.id(2) && joined.log.signingKey == publicKey)
    }

    @Test("The successor takes over when the owner is silent; if the owner wrote as well, both operations prove a fork")
    func takeover() throws {
        var circle = try GroupCircle(5)
        let (publicKey, _) = circle.sessions[3].offerOwnership()
        let named = GroupPolicy.Successor(slot: 3, signingKey: publicKey)
        let successor = try #require(named)
        let policy = GroupPolicy(
            history: .none,
            memberLimit: 9,
            life: 0,
            isEphemeral: false,
            admins: [1],
            successor: successor
        )
        try circle.perform([.policy(#require(policy))])
        try circle.add([Identity()], with: [.remove(circle.id(2))])
        try circle.restart(3)
        var owner = circle.sessions[0]
        let update = try circle.takeOver(by: 3)
        #expect(circle.agrees && circle.sessions.map(\.isOwner) == [false, false, false, true, false, false])
        #expect(circle.sessions[0].tree == nil && circle.sessions[3].slotsToRepair.isEmpty)
        let other = try owner.perform([.policy(.standard)], at: GroupCircle.now).update
        var member = circle.sessions[1]
        #expect(
            member.apply(other.operation, at: GroupCircle.now).outcome
                == .forked(GroupFork(own: update.operation, other: other.operation))
        )
        try circle.perform([.renewBlock], by: 3)
        try circle.perform([.remove(circle.id(0))], by: 3)
        let identity = Identity()
        try circle.perform([.add(GroupMember(identity: identity.publicIdentity, nickname: nil))], by: 3)
        let made = circle.sessions[3].welcome(
            for: identity.publicIdentity.id,
            remainingSeconds: 0,
            bundles: [],
            maximumByteCount: .max
        )
        let read = try GroupWelcome(decoding: #require(made).encoded())
        let joined = try GroupSession.join(read, as: identity.publicIdentity, at: GroupCircle.now).session
        #expect(joined.log.transfers.count == 2, "the operation that named the successor, and the takeover")
    }

    @Test("A successor without a copy of the tree takes over and gives all members fresh secrets")
    func takeoverWithoutTree() throws {
        var circle = try GroupCircle(6)
        let (publicKey, _) = circle.sessions[3].offerOwnership()
        let successor = GroupPolicy.Successor(slot: 3, signingKey: publicKey)
        let policy = GroupPolicy(history: .none, memberLimit: 9, life: 0, isEphemeral: false, successor: successor)
        try circle.perform([.policy(#require(policy))])
        let update = try circle.sessions[3].takeOver(at: GroupCircle.now).update
        circle.spread(update, from: 3)
        #expect(circle.agrees && circle.sessions[3].slotsToRepair == [0, 1, 2, 4, 5])
        circle.spread(try circle.sessions[3].repair(at: GroupCircle.now).update, from: 3)
        #expect(circle.agrees && circle.sessions[3].slotsToRepair.isEmpty)
        try circle.perform([.remove(circle.id(0)), .renewBlock], by: 3)
        #expect(circle.agrees)
    }

    @Test("The rights of a removed admin go with it")
    func admins() throws {
        let restricted = GroupPolicy(
            history: .all,
            memberLimit: 9,
            life: 0,
            isEphemeral: false,
            onlyAdminsWrite: true,
            admins: [1]
        )
        var circle = try GroupCircle(3)
        let open = try circle.say("open", by: 2)
        try circle.perform([.policy(#require(restricted))])
        #expect(throws: CryptoError(.invalidOperation, "")) { try circle.say("no", by: 2) }
        #expect(circle.hear(open, by: 0) == .text("open", circle.id(2)), "of the epoch before")
        let packet = try circle.say("yes", by: 1)
        #expect(circle.hear(packet, by: 2) == .text("yes", circle.id(1)))
        try circle.perform([.remove(circle.id(1))])
        #expect(circle.sessions[2].log.policy.admins == [])
        try circle.add([Identity()], at: GroupCircle.now + GroupLimits.emptySlotSeconds + 1)
        #expect(circle.sessions[3].slot == 1)
        #expect(throws: CryptoError(.invalidOperation, "")) { try circle.say("no", by: 3) }
    }

    @Test("The number of transfers is bounded")
    func transfers() throws {
        var circle = try GroupCircle(2)
        for number in 0..<GroupLimits.maximumTransfers {
            let (owner, next) = (number % 2, 1 - number % 2)
            let key = circle.sessions[next].offerOwnership().publicKey
            let update = try circle.perform([.handover(circle.id(next), signingKey: key)], by: owner)
            _ = try circle.sessions[next].takeTree(#require(update.tree), from: circle.id(owner))
        }
        let key = circle.sessions[1].offerOwnership().publicKey
        #expect(throws: CryptoError(.full, "")) { try circle.perform([.handover(circle.id(1), signingKey: key)]) }
        let log = try circle.checkpoint(of: 0).log(at: GroupCircle.now)
        #expect(log.transfers.count == GroupLimits.maximumTransfers)
    }
}
