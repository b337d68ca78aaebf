import Testing

@testable import ChatCrypto

@Suite("Records of groups with a key tree")
struct GroupStorageTests {
    /// Compares all records that a session would write with those in a store.
    private static func check(_ session: GroupSession, _ store: RecordStore) {
        var session = session
        session.markAll()
        var whole = RecordStore()
        whole.write(session.takeChange())
        #expect(Set(whole.values.keys) == Set(store.values.keys))
        for (id, value) in whole.values {
            if store.values[id]?.isEqual(to: value) != true { Issue.record("\(id.kind) differs") }
        }
    }

    @Test(
        "The written changes restore the same group at every member, after any steps",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func roundTrip(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var circle = try GroupCircle(70)
        var now = GroupCircle.now
        for step in 0..<25 {
            now += UInt32(seeded.below(90_000))
            let members = circle.sessions.indices.filter { circle.sessions[$0].isMember }
            let member = members[seeded.below(members.count)]
            switch seeded.below(6) {
            case 0 where member > 0: try circle.perform([.remove(circle.id(member))], at: now)
            case 1: try circle.add([Identity()], at: now)
            case 2: try circle.perform([.renewBlock], at: now)
            case 3:
                for index in [0, member] {
                    circle.stores[index].write(circle.sessions[index].expire(at: now))
                }
            default:
                let packet = try circle.say("\(step)", by: member, at: now)
                for index in members.prefix(4) + members.suffix(2) { _ = circle.hear(packet, by: index, at: now) }
            }
        }
        for index in [0, 1, 2, 3, circle.sessions.count - 1] {
            Self.check(circle.sessions[index], circle.stores[index])
            let before = circle.sessions[index]
            try circle.restart(index)
            Self.check(circle.sessions[index], circle.stores[index])
            #expect(circle.sessions[index].log.hash == before.log.hash)
        }
        let packet = try circle.say("after", by: 0, at: now)
        for index in circle.sessions.indices.dropFirst() where circle.sessions[index].isMember {
            #expect(circle.hear(packet, by: index, at: now) == .text("after", circle.id(0)))
        }
        try circle.perform([.renewBlock], at: now)
        #expect(circle.agrees)
    }

    @Test("A removal at 4,096 members writes a few small records")
    func incremental() throws {
        var session = try PublicMembers.group(4_095)
        let peer = try #require(session.log.table[2_000]).member.identity.id
        let change = try session.perform([.remove(peer)], at: GroupCircle.now).change
        #expect(change.saved.count < 12 && change.deleted.map(\.kind) == [.groupEpoch], "an epoch over the limit")
        #expect(change.saved.reduce(0) { $0 + $1.value.count } < 40_000)
        #expect(change.saved.allSatisfy { $0.value.count <= 16_384 })
    }

    @Test("The first change after a join, and after the creation, writes no more than later ones")
    func firstChange() throws {
        var circle = try GroupCircle(1)
        try circle.add((0..<64).map { _ in Identity() })
        let joined = try GroupSession.join(circle.welcome(for: circle.id(9)), as: circle.sessions[9].own, at: 0)
        #expect(joined.session.changed.isEmpty && joined.change.saved.count > 4)
        let founder = GroupMember(identity: Identity().publicIdentity, nickname: nil)
        let created = try GroupSession.create(as: founder, title: GroupTitle("New"), policy: .standard, at: 0)
        #expect(created.session.changed.isEmpty && created.change.saved.count == 5)
    }

    @Test("Leaving and deletion leave no secret in storage")
    func deletion() throws {
        var circle = try GroupCircle(3)
        _ = circle.hear(try circle.say("x", by: 0), by: 1)
        var emptied = circle.stores[1]
        var table = GroupTable()
        try table.insert(circle.sessions[1])
        emptied.write(table.remove(circle.sessions[1].id))
        #expect(emptied.records.isEmpty && table.groupIDs.isEmpty)
        circle.stores[1].write(circle.sessions[1].leave())
        for kind in [.groupSecrets, .groupEpoch, .groupChains] as [StoredRecord.Kind] {
            #expect(circle.stores[1].count(kind) == 0)
        }
        try circle.restart(1)
        #expect(!circle.sessions[1].isMember && circle.sessions[1].log.members.count == 3)
        #expect(throws: CryptoError(.notMember, "")) { try circle.say("gone", by: 1) }
        circle.stores[0].write(circle.sessions[0].leave())
        #expect(circle.stores[0].count(.groupSecrets) == 0)
    }

    @Test("Damaged records are refused or stay what they are, and never trap", arguments: [1, 2, 3] as [UInt64])
    func damagedRecords(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var circle = try GroupCircle(5)
        _ = circle.hear(try circle.say("one", by: 1), by: 0)
        _ = try circle.say("two", by: 0)
        try circle.perform([.remove(circle.id(2)), .rename(GroupTitle("Records"))])
        let records = circle.stores[0].records.sorted { $0.id < $1.id }
        #expect(Set(records.map(\.id.kind)).count == 6)
        for _ in 0..<300 {
            var damaged = records
            let index = seeded.below(records.count)
            let bytes = seeded.damaged(records[index].value.exposed)
            damaged[index] = StoredRecord(id: records[index].id, value: SecretBytes(copying: bytes))
            guard var table = try? GroupTable.restore(damaged), let id = table.groupIDs.first else { continue }
            _ = table.expire(at: .max)
            _ = table.update(id) { try? $0.perform([.renewBlock], at: GroupCircle.now) }
        }
    }

    @Test("A packet is found among many groups, and 256 of them are the limit")
    func table() throws {
        var circle = try GroupCircle(2)
        var table = GroupTable()
        try table.insert(circle.sessions[1])
        let known = circle.sessions[1]
        #expect(throws: CryptoError(.invalidOperation, "")) { try table.insert(known) }
        while table.groupIDs.count < GroupLimits.maximumGroups { try table.insert(GroupCircle(1).sessions[0]) }
        let surplus = try GroupCircle(1).sessions[0]
        #expect(throws: CryptoError(.full, "")) { try table.insert(surplus) }
        let packet = try circle.say("found", by: 0)
        let opened = table.open(packet, at: GroupCircle.now)
        #expect(opened?.group == known.id && Heard(opened?.opening) == .text("found", circle.id(0)))
        #expect(table.groupIDs.first == known.id)
    }
}
