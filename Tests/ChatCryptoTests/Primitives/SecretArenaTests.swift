import Bytes
import Testing

@testable import ChatCrypto

@Suite("Room for secrets")
struct SecretArenaTests {
    @Test("Beyond its locked slabs an arena takes ordinary memory: zeroed, apart, and erased when it is given back")
    func outgrowsLockedMemory() {
        let arena = SecretArena(granuleByteCount: 32, largestSlotByteCount: 128, slabLimit: 1)
        let granuleCount = SecretArena.slabByteCount / 32
        let slots = (0..<(3 * granuleCount)).map { _ in arena.take(byteCount: 32) }
        #expect(!arena.areLocked)
        #expect(Set(slots.map(\.address)).count == slots.count)
        func areAll(_ value: UInt8) -> Bool {
            slots.allSatisfy { slot in
                UnsafeRawBufferPointer(start: slot.pointer, count: 32).allSatisfy { $0 == value }
            }
        }
        #expect(areAll(0))
        for slot in slots { slot.pointer.initializeMemory(as: UInt8.self, repeating: 0x5C, count: 32) }
        #expect(areAll(0x5C))
        for slot in slots { arena.release(slot, byteCount: 32) }
        // Slabs stay mapped, so the test can read their slots.
        #expect(areAll(0))
        let again = Set((0..<slots.count).map { _ in arena.take(byteCount: 32).address })
        #expect(again == Set(slots.map(\.address)))
    }

    @Test("Large secrets have guarded memory up to a limit, and ordinary memory beyond")
    func largeSecrets() {
        let arena = SecretArena(granuleByteCount: 32, largestSlotByteCount: 128, ownLimit: 2)
        for _ in 0..<2 {
            let slots = (0..<5).map { _ in arena.take(byteCount: 20_000) }
            #expect(slots.map(\.isOrdinary) == [false, false, true, true, true])
            for slot in slots {
                #expect(UnsafeRawBufferPointer(start: slot.pointer, count: 20_000).allSatisfy { $0 == 0 })
                slot.pointer.initializeMemory(as: UInt8.self, repeating: 0x5C, count: 20_000)
            }
            for slot in slots { arena.release(slot, byteCount: 20_000) }
        }
    }

    @Test("A session table filled to its limits is restored, though locked memory has no room for all its keys")
    func fullSessionTable() throws {
        let pair = try Pair()
        let stored = try #require(pair.bob.store.records.first { $0.id.kind == .session })
        let (session, exchange) = (stored.value.exposed, pair.bob.store.exchange(of: stored.id.bytes))
        var records = pair.bob.store.records.filter { $0.id.kind == .prekey }
        let hashStart = 112 + 2 * MailboxChain.encodedByteCount
        for _ in 0..<SessionLimits.maximumPeers {
            let peer = randomBytes(64)
            for number in 0..<SessionLimits.maximumSessionsPerPeer {
                let transcriptHash = randomBytes(32)
                let id = SessionID(transcriptHash: transcriptHash).bytes
                var record = session
                record.replaceSubrange(1..<97, with: id + peer)
                if number > 0 { record.replaceSubrange(105..<110, with: [1] + Person.start.bigEndianBytes) }
                record.replaceSubrange(hashStart..<hashStart + 32, with: transcriptHash)
                records += [
                    StoredRecord(id: .init(kind: .session, bytes: id), value: SecretBytes(copying: record)),
                    StoredRecord(id: .init(kind: .exchange, bytes: id), value: exchange),
                ]
            }
        }
        let identity = pair.bob.identity
        let table = try SessionTable.restore(records, identity: identity, nickname: nil, at: Person.start).table
        #expect(table.sessionCount == SessionLimits.maximumPeers * SessionLimits.maximumSessionsPerPeer)
        #expect(table.canSeal(to: try #require(table.peerIDs.last), at: Person.start))
        var unknownPeer = try Person()
        var bob = pair.bob
        bob.table = table
        #expect(try bob.receive(try unknownPeer.send("hello", to: bob)) == nil)
    }
}
