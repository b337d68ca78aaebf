import Bytes
import Testing

@testable import ChatCrypto

@Suite("Groups")
struct GroupSessionTests {
    @Test("A handover makes another member the owner, and the one before none")
    func handover() throws {
        var circle = try Circle(3)
        let (publicKey, _) = circle.sessions[2].offerOwnership()
        try circle.perform(.handover(circle.id(2), signingKey: publicKey))
        #expect(circle.sessions.map(\.isOwner) == [false, false, true])
        #expect(throws: CryptoError(.notOwner, "")) { try circle.sessions[0].perform(.renew, at: Circle.now) }
        let update = try circle.sessions[2].perform(.remove(circle.id(0)), at: Circle.now).update
        #expect(circle.sessions[1].apply(update, at: Circle.now).outcome == .applied)
        #expect(circle.sessions[0].apply(update, at: Circle.now).outcome == .applied)
        #expect(circle.sessions.map(\.isMember) == [false, true, true])
        let packet = try circle.say("without the founder", by: 1)
        #expect(circle.hear(packet, by: 2) == .text("without the founder", circle.id(1)))
        #expect(circle.hear(packet, by: 0) == .nothing)
    }

    @Test("A member who was away takes the operations in order, from anybody who has their keys")
    func away() throws {
        var circle = try Circle(4)
        var away = circle.sessions[1]
        try circle.perform(.remove(circle.id(3)))
        try circle.perform(.rename(GroupTitle("Later")))
        try circle.perform(.renew)
        let packet = try circle.say("now", by: 0)
        #expect(Heard(away.open(packet, at: Circle.now)?.opening) == .nothing)
        while away.log.epoch < circle.sessions[2].log.epoch {
            let update = try #require(circle.sessions[2].update(of: away.log.epoch + 1))
            #expect(away.apply(update, at: Circle.now).outcome == .applied)
        }
        #expect(circle.sessions[2].update(of: away.log.epoch + 1) == nil)
        let fresh = try circle.sessions[0].seal(Array("again".utf8), at: Circle.now + 90_000)
        _ = away.accept(try #require(fresh.newKey), from: circle.id(0), at: Circle.now)
        let next = InboundPacket(kind: .sealed, body: fresh.message.body)
        #expect(Heard(away.open(next, at: Circle.now)?.opening) == .text("again", circle.id(0)))
        #expect(Heard(away.open(packet, at: Circle.now)?.opening) == .needsKey)
    }

    @Test("Who leaves keeps no key, and is given none")
    func leaving() throws {
        var circle = try Circle(3)
        for speaker in 0..<3 { _ = try circle.say("before", by: speaker) }
        let change = circle.sessions[2].leave()
        #expect(!circle.sessions[2].isMember)
        #expect(change.deleted.map(\.kind) == [.receivedKey, .receivedKey])
        let noted = circle.sessions[1].noteLeaving(circle.id(2))
        #expect(noted.deleted.map(\.kind) == [.receivedKey])
        #expect(circle.sessions[1].leavers == [circle.id(2)])
        #expect(circle.sessions[1].noteLeaving(circle.id(2)).isEmpty)
        #expect(throws: CryptoError(.notMember, "")) { try circle.sessions[2].seal([1], at: Circle.now) }
        try circle.perform(.remove(circle.id(2)))
        #expect(circle.sessions[1].leavers.isEmpty && circle.sessions[1].isMember)
    }

    @Test("Who was removed may come back, with what came after")
    func comingBack() throws {
        var circle = try Circle(3)
        let identity = circle.identities[2]
        try circle.perform(.remove(circle.id(2)))
        circle.sessions.removeLast()
        let between = try circle.say("between", by: 0)
        try circle.take(identity)
        #expect(circle.hear(between, by: 2) == .nothing)
        let packet = try circle.say("welcome back", by: 1)
        #expect(circle.hear(packet, by: 2) == .text("welcome back", circle.id(1)))
    }

    @Test("A welcome that is not whole, not for oneself or of a frozen group is none")
    func welcomes() throws {
        var circle = try Circle(3)
        let unknownPeer = Identity().publicIdentity
        let whole = try #require(
            circle.sessions[0].welcome(remainingSeconds: 60, bundles: [], maximumByteCount: .max)
        )
        #expect(whole.isWhole && whole.remainingSeconds == 60)
        #expect(throws: CryptoError(.notMember, "")) { try GroupSession.join(whole, as: unknownPeer, at: Circle.now) }
        let cut = try #require(
            circle.sessions[0].welcome(remainingSeconds: 0, bundles: [], maximumByteCount: 500)
        )
        let read = try GroupWelcome(decoding: cut.encoded())
        #expect(!read.isWhole && read.encoded().count <= 500 && read.log.epoch > 0)
        let own = circle.sessions[1].own
        #expect(throws: CryptoError(.invalidOperation, "")) { try GroupSession.join(read, as: own, at: Circle.now) }
        var log = read.log
        for operation in circle.sessions[2].operations(from: log.epoch + 1, limit: 100) { _ = log.apply(operation) }
        circle.sessions[1] = try GroupSession.join(read, log: log, as: own, at: Circle.now).session
        #expect(circle.hear(try circle.say("joined", by: 0), by: 1) == .text("joined", circle.id(0)))
    }

    @Test("A welcome leaves out bundles before operations, the owner's never")
    func welcomeBundles() throws {
        let circle = try Circle(3)
        let bundles = try circle.identities.map { try KeptBook.bundle(of: $0, nickname: nil) }
        func welcome(_ limit: Int) throws -> GroupWelcome {
            let welcome = circle.sessions[0].welcome(
                remainingSeconds: 0,
                bundles: bundles,
                maximumByteCount: limit
            )
            let encoded = try #require(welcome).encoded()
            #expect(encoded.count <= limit)
            return try GroupWelcome(decoding: encoded)
        }
        let all = try welcome(10_000)
        #expect(all.bundles == bundles && all.isWhole)
        let fewer = try welcome(all.encoded().count - 1)
        #expect(fewer.bundles == Array(bundles.prefix(2)) && fewer.isWhole)
        let least = try welcome(1_700)
        #expect(least.bundles == Array(bundles.prefix(1)) && !least.isWhole)
    }

    @Test("Groups come out of storage as they went in, at any moment", arguments: 1...10 as ClosedRange<UInt64>)
    func storage(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var circle = try Circle(4)
        var stored = RecordStore()
        stored.write(circle.sessions[1].saved())
        var table = try GroupTable.restore(stored.records)
        let id = circle.sessions[1].id
        func change<Result>(_ step: (inout GroupSession) throws -> Result) throws -> Result {
            let result = try table.update(id, step)
            return try #require(result)
        }
        for number in 0..<60 {
            if seeded.below(4) == 0 { table = try GroupTable.restore(stored.records) }
            switch seeded.below(6) {
            case 0:
                let update = try circle.sessions[0].perform(.renew, at: Circle.now).update
                for index in [2, 3] { _ = circle.sessions[index].apply(update, at: Circle.now) }
                stored.write(try change { $0.apply(update, at: Circle.now).change })
            case 1:
                let sealed = try change { try $0.seal(Array("\(number)".utf8), at: Circle.now) }
                if let key = sealed.newKey { _ = circle.sessions[2].accept(key, from: circle.id(1), at: Circle.now) }
                let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
                #expect(circle.hear(packet, by: 2) == .text("\(number)", circle.id(1)))
            default:
                let speaker = [0, 2, 3][seeded.below(3)]
                let sealed = try circle.sessions[speaker].seal(Array("\(number)".utf8), at: Circle.now)
                if let key = sealed.newKey {
                    let maker = circle.id(speaker)
                    stored.write(try change { $0.accept(key, from: maker, at: Circle.now).change })
                    for index in [0, 2, 3] where index != speaker {
                        _ = circle.sessions[index].accept(key, from: maker, at: Circle.now)
                    }
                }
                guard seeded.below(5) > 0 else { continue }
                let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
                let result = table.open(packet, at: Circle.now)
                let opened = try #require(result)
                stored.write(opened.change)
                #expect(Heard(opened.opening) == .text("\(number)", circle.id(speaker)))
            }
        }
        #expect(table[id]?.log.hash == circle.sessions[0].log.hash)
        let restored = try #require(try GroupTable.restore(stored.records)[id])
        let kept = try #require(table[id])
        #expect(restored.encoded().isEqual(to: kept.encoded()))
        var emptied = stored
        emptied.write(table.remove(id))
        #expect(emptied.records.isEmpty && table.groupIDs.isEmpty)
    }

    @Test("Damaged records are refused or stay what they are, and never trap", arguments: [1, 2, 3] as [UInt64])
    func damagedRecords(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var circle = try Circle(3)
        _ = circle.hear(try circle.say("one", by: 1), by: 0)
        _ = try circle.say("two", by: 0)
        var stored = RecordStore()
        let session = circle.sessions[0]
        stored.write(session.saved())
        var change = SessionChange()
        for key in session.received.values { session.save(key, in: &change) }
        stored.write(change)
        let whole = try GroupTable.restore(stored.records)
        #expect(whole[session.id]?.received.count == 1)
        let records = stored.records.sorted { $0.id < $1.id }
        for _ in 0..<200 {
            var damaged = records
            let index = seeded.below(records.count)
            let bytes = seeded.damaged(records[index].value.exposed)
            damaged[index] = StoredRecord(id: records[index].id, value: SecretBytes(copying: bytes))
            guard var table = try? GroupTable.restore(damaged) else { continue }
            _ = table.expire(at: .max)
        }
    }

    @Test("A packet is found among many groups, and 256 of them are the limit")
    func table() throws {
        var table = GroupTable()
        var circle = try Circle(2)
        let founder = GroupMember(identity: circle.identities[1].publicIdentity, nickname: nil)
        try table.insert(circle.sessions[1])
        let present = circle.sessions[1]
        #expect(throws: CryptoError(.invalidOperation, "")) { try table.insert(present) }
        func another() throws -> GroupSession {
            try GroupSession.create(as: founder, title: GroupTitle("More"), policy: .standard, at: Circle.now).session
        }
        while table.groupIDs.count < GroupLimits.maximumGroups { try table.insert(another()) }
        let surplus = try another()
        #expect(throws: CryptoError(.full, "")) { try table.insert(surplus) }
        let sealed = try circle.sessions[0].seal(Array("found".utf8), at: Circle.now)
        let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
        let id = circle.sessions[0].id
        #expect(table.groupIDs.last == id)
        let first = table.open(packet, at: Circle.now)
        let early = try #require(first)
        #expect(early.group == id && Heard(early.opening) == .needsKey)
        let (key, maker) = (try #require(sealed.newKey), circle.id(0))
        _ = table.update(id) { $0.accept(key, from: maker, at: Circle.now) }
        let second = table.open(packet, at: Circle.now)
        let opened = try #require(second)
        #expect(opened.group == id && Heard(opened.opening) == .text("found", circle.id(0)))
        #expect(table.groupIDs.first == id)
    }

    @Test("Titles are bounded and hold nothing that is not to be seen")
    func titles() throws {
        #expect(try GroupTitle("Trees & Lakes").text == "Trees & Lakes")
        #expect(GroupTitle(decoding: Array("e\u{301}".utf8)) == nil, "not in composed form")
        for bad in ["", " \n", "a\u{202E}b", "a\u{7}b", String(repeating: "x", count: 129)] {
            #expect(throws: CryptoError(.titleForbidden, "")) { try GroupTitle(bad) }
            #expect(GroupTitle(decoding: Array(bad.utf8)) == nil)
        }
        #expect(GroupTitle(decoding: [0xFF]) == nil)
    }

    @Test("A policy of no members, of too many, or of the last none is none")
    func policies() {
        #expect(GroupPolicy(history: .none, memberLimit: 0, life: 0, isEphemeral: false) == nil)
        #expect(GroupPolicy(history: .none, memberLimit: 129, life: 0, isEphemeral: false) == nil)
        #expect(GroupPolicy(history: .last(0), memberLimit: 2, life: 0, isEphemeral: false) == nil)
        for bytes in [[0, 0, 1, 2], [2, 0, 1, 2], [3, 0, 0, 2], [1, 0, 0, 2], [0, 0, 0, 0]] as [[UInt8]] {
            var reader = ByteReader(bytes + [0, 0, 0, 0, 0])
            #expect(GroupPolicy(decoding: &reader) == nil)
        }
        var flag = ByteReader([0, 0, 0, 2, 0, 0, 0, 0, 2])
        #expect(GroupPolicy(decoding: &flag) == nil)
    }
}
