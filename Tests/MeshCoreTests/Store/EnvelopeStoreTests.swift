import MeshSimulation
import Testing

@testable import MeshCore

@Suite("Envelope store")
struct EnvelopeStoreTests {
    private let cryptography = ToyCryptography()

    private func id(_ envelope: Envelope) -> EnvelopeID {
        cryptography.envelopeID(kindByte: envelope.kindByte, body: envelope.body[...])
    }

    private func store(bytes: Int = 1_000_000, envelopes: Int = 1_000) -> EnvelopeStore {
        var limits = StoreLimits()
        limits.byteCount = bytes
        limits.envelopeCount = envelopes
        return EnvelopeStore(limits: limits, kinds: .simulated)
    }

    @discardableResult
    private func insert(
        _ envelope: Envelope,
        from origin: UInt64?,
        into store: inout EnvelopeStore,
        now: MeshInstant = .zero
    ) -> Bool {
        store.insert(
            envelope,
            id: id(envelope),
            proofHashes: envelope.kind == .release ? [id(envelope).bytes] : [],
            origin: origin.map { NodeID($0) },
            isOld: false,
            now: now
        )
    }

    private func held(_ envelopes: [Envelope], in store: EnvelopeStore) -> [Int] {
        envelopes.indices.filter { store[id(envelopes[$0]).shortID] != nil }
    }

    @Test("Envelopes are offered in the order in which they came, page by page")
    func pages() {
        var store = store()
        let envelopes = (0..<5).map { RouterBench.envelope($0) }
        for envelope in envelopes { insert(envelope, from: 1, into: &store) }
        let ids = envelopes.map { id($0).shortID }
        let first = store.offers(from: 0, limit: 3)
        #expect(first.shortIDs == Array(ids[0..<3]))
        let second = store.offers(from: first.next, limit: 3)
        #expect(second.shortIDs == Array(ids[3..<5]))
        #expect(store.offers(from: second.next, limit: 3).shortIDs == [])
    }

    @Test("Equal contents have equal digests, whatever the order")
    func digests() {
        var left = store()
        var right = store()
        let envelopes = (0..<9).map { RouterBench.envelope($0) }
        for envelope in envelopes { insert(envelope, from: 1, into: &left) }
        for envelope in envelopes.reversed() { insert(envelope, from: nil, into: &right) }
        #expect(left.summary == right.summary)
        #expect(left.summary.sums != .zero)
        #expect([left.offeredCount, left.count, left.byteCount] == [9, 9, 9 * 23])
    }

    @Test("In its last minute an envelope is offered no more, and at the end of its life it goes")
    func life() {
        var store = store()
        let envelope = RouterBench.envelope(1, life: 10)
        insert(envelope, from: 1, into: &store)
        #expect(store.nextDeadline == MeshInstant.zero.advanced(by: .seconds(40)))
        store.expire(now: MeshInstant.zero.advanced(by: .seconds(40)))
        #expect([store.offeredCount, store.count] == [0, 1])
        #expect(store.summary.sums == .zero)
        #expect(store.nextDeadline == MeshInstant.zero.advanced(by: .seconds(100)))
        let end = MeshInstant.zero.advanced(by: .seconds(100))
        store.expire(now: end)
        #expect([store.count, store.byteCount] == [0, 0])
        #expect(store.nextDeadline == .distantFuture)
    }

    @Test("What is handed on has lived for the whole ticks it was held")
    func holdingTime() {
        var store = store()
        let envelope = RouterBench.envelope(1, life: 10)
        insert(envelope, from: 1, into: &store)
        let lives = [0, 9, 10, 25, 99, 100].map { seconds in
            store[id(envelope).shortID]?.message(now: MeshInstant.zero.advanced(by: .seconds(seconds)))
                .flatMap { Envelope(decoding: $0[...])?.life }
        }
        #expect(lives == [10, 10, 9, 8, 1, nil])
    }

    @Test("A copy with more life raises the life, one with less changes nothing")
    func raising() {
        var store = store()
        let envelope = RouterBench.envelope(1, life: 10)
        insert(envelope, from: 1, into: &store)
        let sums = store.summary.sums
        store.expire(now: MeshInstant.zero.advanced(by: .seconds(50)))
        let later = MeshInstant.zero.advanced(by: .seconds(50))
        store.raise(id(envelope).shortID, life: 3, now: later)
        #expect(store[id(envelope).shortID]?.deadline == MeshInstant.zero.advanced(by: .seconds(100)))
        store.raise(id(envelope).shortID, life: 20, now: later)
        #expect(store[id(envelope).shortID]?.deadline == MeshInstant.zero.advanced(by: .seconds(250)))
        #expect(store.summary.sums == sums)
        store.expire(now: MeshInstant.zero.advanced(by: .seconds(100)))
        #expect(store.count == 1)
        store.expire(now: MeshInstant.zero.advanced(by: .seconds(250)))
        #expect(store.count == 0)
    }

    @Test("Own envelopes are never displaced by others', only by own ones")
    func ownStays() {
        var store = store(envelopes: 2)
        let own = (0..<3).map { RouterBench.envelope($0, life: UInt16(10 + $0)) }
        insert(own[0], from: nil, into: &store)
        insert(own[1], from: nil, into: &store)
        for number in 10..<50 { insert(RouterBench.envelope(number), from: 1, into: &store) }
        #expect(held(own, in: store) == [0, 1])
        let isKept = insert(own[2], from: nil, into: &store)
        #expect(isKept)
        #expect(held(own, in: store) == [1, 2])
    }

    @Test("A node whose store is full of what it wrote still keeps messages, for its own releases")
    func ownReleases() {
        var store = store(envelopes: 4)
        let releases = (0..<2).map { RouterBench.envelope($0, kind: .release, life: UInt16(50 + $0), byteCount: 16) }
        let messages = (5..<8).map { RouterBench.envelope($0, kind: .sealed, life: 10) }
        for envelope in releases + messages { #expect(insert(envelope, from: nil, into: &store)) }
        #expect(held(releases + messages, in: store) == [1, 2, 3, 4])
    }

    @Test("Releases fill half of a store, so that mail has room however much arrived", arguments: [nil, 1 as UInt64?])
    func releaseLimit(origin: UInt64?) {
        var store = store(envelopes: 8)
        let releases = (0..<9).map { RouterBench.envelope($0, kind: .release, life: UInt16(50 + $0), byteCount: 16) }
        for release in releases { insert(release, from: origin, into: &store) }
        #expect(held(releases, in: store) == [5, 6, 7, 8])
    }

    @Test("An adopted envelope counts as own")
    func adoption() {
        var store = store(envelopes: 1)
        let envelope = RouterBench.envelope(1)
        insert(envelope, from: 1, into: &store)
        store.adopt(id(envelope).shortID, now: .zero)
        for number in 2..<50 { insert(RouterBench.envelope(number), from: 2, into: &store) }
        #expect(store[id(envelope).shortID]?.origin == nil)
        #expect(store.foreign.count <= 1)
    }

    @Test("Long use leaves nothing behind: places, queues and times of what is gone are forgotten")
    func churn() {
        var store = store(bytes: 10_000, envelopes: 20)
        var now = MeshInstant.zero
        for number in 0..<3_000 {
            let kind: EnvelopeKind = [.sealed, .room, .chunk][number % 3]
            let life = UInt16(1 + number % 40)
            insert(
                RouterBench.envelope(number, kind: kind, life: life),
                from: UInt64(number % 7),
                into: &store,
                now: now
            )
            now = now.advanced(by: .seconds(1))
            store.expire(now: now)
        }
        #expect(store.count <= 20)
        store.expire(now: now.advanced(by: .seconds(1_000)))
        #expect([store.count, store.byteCount, store.offeredCount] == [0, 0, 0])
        #expect(store.summary.sums == .zero)
        for _ in 0..<Shelf.maximumDepth where store.shelf.depth > 0 { store.expire(now: store.nextDeadline) }
        #expect(store.shelf == .everything && store.nextDeadline == .distantFuture)
    }
}
