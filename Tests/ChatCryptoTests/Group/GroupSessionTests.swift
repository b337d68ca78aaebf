import Testing

@testable import ChatCrypto

@Suite("Operations of groups with a key tree")
struct GroupSessionTests {
    @Test("A tree grows, and loses a member, in one operation")
    func growthAndRemoval() throws {
        var circle = try GroupCircle(4)
        #expect(circle.sessions[0].log.table.depth == 2)
        try circle.add([Identity()], with: [.remove(circle.id(2))])
        #expect(circle.sessions[0].log.table.depth == 3 && circle.agrees)
        #expect(circle.sessions.map(\.isMember) == [true, true, false, true, true])
        let packet = try circle.say("grown", by: 4)
        #expect(circle.hear(packet, by: 1) == .text("grown", circle.id(4)))
        #expect(circle.hear(packet, by: 2) == .nothing)
        try circle.add((0..<5).map { _ in Identity() })
        #expect(circle.sessions[0].log.table.depth == 4 && circle.agrees, "growth alone")
        try circle.add((0..<30).map { _ in Identity() }, with: [.remove(circle.id(1)), .renewBlock])
        #expect(circle.sessions[0].log.table.depth == 6 && circle.agrees)
    }

    @Test("A slot rests for 8 days, and a message of its former member is not its new member's")
    func slotReuse() throws {
        var circle = try GroupCircle(3)
        let slot = try #require(circle.sessions[1].slot)
        let late = try circle.say("late", by: 1)
        try circle.perform([.remove(circle.id(1))])
        try circle.add([Identity()])
        #expect(circle.sessions[3].slot == 3)
        let after = GroupCircle.now + GroupLimits.emptySlotSeconds + 1
        try circle.add([Identity()], at: after)
        #expect(circle.sessions[4].slot == slot && circle.agrees)
        #expect(circle.hear(late, by: 0, at: after) == .refused)
        let packet = try circle.say("new", by: 4, at: after)
        #expect(circle.hear(packet, by: 2, at: after) == .text("new", circle.id(4)))
        // Nothing of a slot changes twice in one operation.
        let member = GroupMember(identity: Identity().publicIdentity, nickname: nil)
        for edits in [[.remove(2), .add(2, member)], [.add(5, member), .remove(5)]] as [[GroupEdit]] {
            #expect(throws: LogRefusal.invalid) { try circle.sessions[0].log.apply(edits) }
        }
    }

    @Test("A full group reuses the slot that was emptied longest ago")
    func fullGroup() throws {
        var session = try PublicMembers.group(4_095)
        let now = GroupCircle.now
        for slot in [70, 9, 4_000] as [UInt16] {
            let peer = try #require(session.log.table[slot]).member.identity.id
            _ = try session.perform([.remove(peer)], at: now + (slot == 9 ? 0 : 5))
        }
        let member = try PublicMembers.make(1, seed: 9)[0]
        let update = try session.perform([.add(member)], at: now + 10).update
        #expect(update.operation.edits == [.add(9, member)])
    }

    @Test("Operations that do not fit are refused with their reason")
    func refusals() throws {
        let circle = try GroupCircle(3)
        var other = try GroupCircle(2)
        let (owner, member) = (circle.sessions[0], circle.sessions[1])
        let key = try #require(owner.ownerKey)
        func outcome(_ edits: [GroupEdit], wraps: Int = 0, by signer: GroupOwnerKey? = nil) -> LogOutcome {
            let part = TreePart(
                salt: [UInt8](repeating: 1, count: 16),
                check: [UInt8](repeating: 2, count: 32),
                wraps: [UInt8](repeating: 3, count: 48 * wraps)
            )
            let state = (try? owner.log.apply(edits).state) ?? owner.log.state
            let operation = GroupOperation(
                edits,
                of: owner.id,
                epoch: owner.log.epoch + 1,
                after: owner.log.hash,
                result: (state.root, state.table.depth),
                tree: edits.contains(where: \.changesSecrets) ? part : nil,
                by: signer ?? key
            )
            var session = member
            guard let read = try? GroupOperation(decoding: operation.bytes) else { return .refused(.invalid) }
            return session.apply(read, at: GroupCircle.now).outcome
        }
        #expect(outcome([.rename(try GroupTitle("New"))]) == .applied)
        #expect(outcome([], by: GroupOwnerKey()) == .refused(.notSigned))
        #expect(outcome([.remove(2)], wraps: 1) == .refused(.needsPath), "the wrap is forged")
        #expect(outcome([.remove(2)], wraps: 0) == .refused(.invalid))
        #expect(outcome([.remove(2)], wraps: 2) == .refused(.invalid))
        #expect(outcome([.remove(0)], wraps: 2) == .refused(.invalid), "the owner")
        #expect(outcome([.remove(3)], wraps: 2) == .refused(.invalid), "an empty slot")
        #expect(outcome([.renew(first: 3, height: 0)]) == .refused(.invalid), "a block without members")
        #expect(outcome([.renew(first: 4, height: 2)]) == .refused(.invalid), "a block outside the tree")
        #expect(outcome([.renew(first: 1, height: 0)], wraps: 2) == .refused(.needsLeaf))
        #expect(outcome([.add(1, GroupMember(identity: owner.own, nickname: nil))]) == .refused(.invalid))
        #expect(outcome([.takeover], by: key) == .refused(.notSigned), "no successor")
        let foreign = try other.sessions[0].perform([.policy(.standard)], at: GroupCircle.now).update.operation
        var session = member
        #expect(session.apply(foreign, at: GroupCircle.now).outcome == .refused(.otherGroup))
    }

    @Test(
        "Bytes of operations, checkpoints and welcomes with damage are refused or read, and never trap",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func damage(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var circle = try GroupCircle(5)
        let update = try circle.perform([.remove(circle.id(2)), .renew(circle.id(3)), .rename(GroupTitle("Damage"))])
        let checkpoint = try #require(circle.sessions[0].checkpoint)
        let welcome = try circle.welcome(for: circle.id(1)).encoded().exposed
        for _ in 0..<400 {
            _ = try? GroupOperation(decoding: seeded.damaged(update.operation.bytes))
            let state = seeded.damaged(checkpoint.encoded())
            #expect(throws: CryptoError(.malformed, "")) {
                try GroupCheckpoint(decoding: state, foundingKey: checkpoint.foundingKey)
            }
            guard let read = try? GroupWelcome(decoding: SecretBytes(copying: seeded.damaged(welcome))) else {
                continue
            }
            _ = try? GroupSession.join(read, as: circle.sessions[1].own, at: GroupCircle.now)
        }
        #expect(try GroupOperation(decoding: update.operation.bytes) == update.operation)
    }

    @Test("A late member applies operations in order; one with wrong secrets sets them aside and gets a welcome")
    func lateMember() throws {
        var circle = try GroupCircle(4)
        var away = circle.sessions[3]
        var updates: [GroupUpdate] = []
        for _ in 0..<3 { updates.append(try circle.perform([.renewBlock])) }
        let packet = try circle.say("now", by: 1)
        #expect(away.apply(updates[1].operation, at: GroupCircle.now).outcome == .gap(next: updates[0].operation.epoch))
        #expect(away.apply(updates[0].operation, at: GroupCircle.now).outcome == .refused(.needsLeaf))
        #expect(away.log.epoch + 1 == updates[0].operation.epoch, "nothing changed")
        let wrong = LeafSecret(epoch: updates[0].operation.epoch, secret: .random(count: 32))
        #expect(away.apply(updates[0].operation, leaf: wrong, at: GroupCircle.now).outcome == .refused(.needsPath))
        for update in updates {
            let note = update.leaves.first { $0.member.identity == away.own }?.secret
            #expect(away.apply(update.operation, leaf: note, at: GroupCircle.now).outcome == .applied)
        }
        #expect(Heard(away.open(packet, at: GroupCircle.now)?.opening) == .text("now", circle.id(1)))
        var lost = try GroupCircle(1).sessions[0]
        #expect(throws: CryptoError(.notMember, "")) {
            try lost.rejoin(circle.welcome(for: circle.id(3)), at: GroupCircle.now)
        }
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try away.rejoin(circle.welcome(for: circle.id(3)), at: GroupCircle.now)
        }
    }

    @Test("A state without room in the welcome follows it")
    func largeState() throws {
        var session = try PublicMembers.group(200)
        let identity = Identity()
        let member = GroupMember(identity: identity.publicIdentity, nickname: nil)
        _ = try session.perform([.add(member)], at: GroupCircle.now)
        let id = identity.publicIdentity.id
        func welcome(_ byteCount: Int) -> GroupWelcome? {
            session.welcome(for: id, remainingSeconds: 7, bundles: [], maximumByteCount: byteCount)
        }
        #expect(welcome(300) == nil, "not even the digest fits")
        let bytes = try #require(session.checkpoint).encoded()
        let read = try GroupWelcome(decoding: #require(welcome(12_288)).encoded())
        #expect(read.checkpoint == nil && read.digest?.byteCount == UInt32(bytes.count) && read.remainingSeconds == 7)
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try GroupSession.join(read, as: identity.publicIdentity, at: GroupCircle.now)
        }
        let checkpoint = try read.checkpoint(from: bytes)
        let joined = try GroupSession.join(
            read,
            checkpoint: checkpoint,
            as: identity.publicIdentity,
            at: GroupCircle.now
        )
        #expect(joined.session.epochs.last?.headerKey.exposed == session.epochs.last?.headerKey.exposed)
        #expect(throws: CryptoError(.notMember, "")) {
            try GroupSession.join(read, checkpoint: checkpoint, as: Identity().publicIdentity, at: GroupCircle.now)
        }
    }
}
