import MeshSimulation
import Testing

@testable import MeshCore

@Suite("Shelf")
struct ShelfTests {
    private static func store(_ count: Int, bytes: Int = 1 << 20) -> EnvelopeStore {
        var limits = StoreLimits()
        limits.envelopeCount = count
        limits.byteCount = bytes
        var store = EnvelopeStore(limits: limits, kinds: .simulated)
        store.setShelf(place: 0xB123, depth: 0)
        return store
    }

    @discardableResult
    private static func insert(
        _ envelope: Envelope,
        from origin: UInt64? = 1,
        into store: inout EnvelopeStore,
        now: MeshInstant = .zero
    ) -> Bool {
        store.insert(
            envelope,
            id: id(envelope),
            proofHashes: [],
            origin: origin.map { NodeID($0) },
            isOld: false,
            now: now
        )
    }

    private static func id(_ envelope: Envelope) -> EnvelopeID {
        ToyCryptography().envelopeID(kindByte: envelope.kindByte, body: envelope.body[...])
    }

    @Test("A shelf covers the places that begin with its bits, and tells no others")
    func covering() {
        let shelf = Shelf(of: 0xB123, depth: 5)
        #expect(shelf == Shelf(prefix: 0xB000, depth: 5))
        #expect([0xB000, 0xB7FF, 0xB800, 0xA800].map { shelf.covers($0) } == [true, true, false, false])
        #expect((0...UInt16.max).allSatisfy { Shelf.everything.covers($0) })
        #expect(Shelf(prefix: 0xB100, depth: 5) == nil && Shelf(prefix: 0, depth: 17) == nil)
        #expect(Shelf(of: 0xB123, depth: 16).covers(0xB123) && !Shelf(of: 0xB123, depth: 16).covers(0xB122))
        #expect(
            [0, 1, 4, 5, 16].map { Shelf(of: 0xB123, depth: $0).sixteenths } == [
                0...15, 8...15, 11...11, 11...11, 11...11,
            ]
        )
    }

    @Test("Two shelves have the deeper one in common, or nothing")
    func common() {
        let (wide, narrow, other) = (Shelf(of: 0x8000, depth: 1), Shelf(of: 0xB123, depth: 5), Shelf(of: 0, depth: 1))
        #expect(wide.common(with: narrow) == narrow && narrow.common(with: wide) == narrow)
        #expect(wide.common(with: other) == nil && other.common(with: narrow) == nil)
        #expect(Shelf.everything.common(with: other) == other)
    }

    @Test("A full store halves its shelf and keeps what that covers, whoever brought it and however long it lives")
    func halving() {
        var store = Self.store(100)
        let envelopes = (0..<1_000).map { RouterBench.envelope($0, life: UInt16(1 + $0 % 50)) }
        for (number, envelope) in envelopes.enumerated() {
            Self.insert(envelope, from: UInt64(number % 5), into: &store)
            #expect(store.foreign.count <= 100)
        }
        #expect((4...5).contains(store.shelf.depth))
        let places = envelopes.map { UInt16(truncatingIfNeeded: Self.id($0).shortID >> 48) }
        let covered = zip(envelopes, places).filter { store.shelf.covers($1) }.map { Self.id($0.0).shortID }
        #expect(Set(store.entries.keys) == Set(covered))
        #expect(store.evictedCount + store.count < 1_000)
    }

    @Test("Small junk counts for 512 bytes a piece, so that bytes are full before memory is")
    func charge() {
        var store = Self.store(10_000, bytes: 512 * 10)
        for number in 0..<10 { Self.insert(RouterBench.envelope(number), into: &store) }
        #expect(store.shelf.depth == 0 && store.count == 10)
        Self.insert(RouterBench.envelope(10), into: &store)
        #expect(store.shelf.depth > 0 && store.foreign.charge <= 5_120)
    }

    @Test("Ids that all lie in one shelf fill it to the last bit, and then nothing more comes in")
    func ground() {
        var store = Self.store(3)
        let tag: [UInt8] = [0xB1, 0x23]
        for number in 0..<10 {
            let body = tag + [UInt8](repeating: UInt8(number), count: 30)
            Self.insert(Envelope(kind: .chunk, life: 100, body: body), into: &store)
            #expect(store.foreign.count <= 3)
        }
        #expect(store.shelf.depth == Shelf.maximumDepth)
        #expect(store.count == 3)
    }

    @Test("Pieces of one object lie together, since their tag decides")
    func tags() {
        let chunk = Envelope(kind: .chunk, life: 100, body: [0xAB, 0xCD, 3])
        #expect(EnvelopeStore.place(of: chunk, .chunk, id: Self.id(chunk)) == 0xABCD)
        let message = RouterBench.envelope(1)
        let place = EnvelopeStore.place(of: message, .message, id: Self.id(message))
        #expect(place == UInt16(truncatingIfNeeded: Self.id(message).shortID >> 48))
    }

    @Test("A store with room for ten minutes doubles its shelf again, one step each time")
    func doubling() {
        var store = Self.store(8)
        for number in 0..<200 { Self.insert(RouterBench.envelope(number, life: 6), into: &store) }
        let depth = store.shelf.depth
        #expect(depth > 1)
        var now = MeshInstant.zero.advanced(by: .seconds(60))
        store.expire(now: now)
        #expect(store.count == 0 && store.shelf.depth == depth)
        for step in 1...depth {
            #expect(store.nextDeadline == now.advanced(by: .seconds(600)))
            store.expire(now: now.advanced(by: .seconds(599)))
            #expect(store.shelf.depth == depth - step + 1)
            now = now.advanced(by: .seconds(600))
            store.expire(now: now)
            #expect(store.shelf.depth == depth - step)
        }
        #expect(store.nextDeadline == .distantFuture)
    }

    @Test("When the shelf doubles, comparing brings what it did not cover before, and nobody is told of it twice")
    func bringingBack() {
        var small = RouterConfiguration()
        small.store.envelopeCount = 8
        var pair = RouterPair([RouterConfiguration(), small])
        pair.hold(stride(from: 0, to: 40, by: 4), at: 0)
        pair.benches[0].hold((0..<40).filter { $0 % 4 != 0 }, life: 90)
        pair.connect()
        pair.pass(.seconds(3))
        func deliveryCount() -> Int { pair.effects[1].count { if case .deliver = $0 { true } else { false } } }
        let (depth, count) = (pair.benches[1].router.store.shelf.depth, pair.benches[1].router.store.count)
        #expect(depth > 1 && count <= 8 && deliveryCount() == 40)
        // Three in four end after 15 minutes, so that the others fit a wider shelf.
        pair.pass(.seconds(3_600))
        let store = pair.benches[1].router.store
        #expect(store.shelf.depth < depth && store.count <= 8)
        let kept = (0..<40).filter { number in
            let id = pair.benches[1].id(RouterBench.envelope(number)).shortID
            return number % 4 == 0 && store.shelf.covers(UInt16(truncatingIfNeeded: id >> 48))
        }
        #expect(kept.count > 2)
        #expect(kept.allSatisfy { store[pair.benches[1].id(RouterBench.envelope($0)).shortID] != nil })
        #expect(deliveryCount() == 40)
    }

    @Test("Delivery proofs make room too, without anything that comes or ends")
    func released() {
        var store = Self.store(8)
        let proofs = (0..<200).map { number in (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        for (number, proof) in proofs.enumerated() {
            let envelope = RouterBench.envelope(number)
            _ = store.insert(
                envelope,
                id: Self.id(envelope),
                proofHashes: [proof],
                origin: NodeID(1),
                isOld: false,
                now: .zero
            )
        }
        let depth = store.shelf.depth
        for proof in proofs { store.release(proof, now: .zero) }
        #expect(store.count == 0 && store.nextDeadline == .zero.advanced(by: .seconds(600)))
        store.expire(now: store.nextDeadline)
        #expect(store.shelf.depth == depth - 1)
    }

    @Test("The shelf is kept with the store, and a log's shelf holds after a restart")
    func log() {
        var bench = RouterBench()
        var effects: [RouterEffect] = []
        bench.router.restore([.shelf(place: 0x4001, depth: 2)], now: .zero, into: &effects)
        #expect(bench.router.store.shelf == Shelf(of: 0x4001, depth: 2))
        #expect(bench.router.store.records(now: .zero) == [.shelf(place: 0x4001, depth: 2)])
        let shelves = (1...20 as ClosedRange<UInt64>).map { RouterBench(seed: $0).router.store.records(now: .zero) }
        #expect(shelves.indices.allSatisfy { shelves.firstIndex(of: shelves[$0]) == $0 })
    }

    @Test("A node passes on and delivers what it does not keep, once, and can hand it to who asks a short time later")
    func passing() {
        var bench = RouterBench()
        var effects: [RouterEffect] = []
        bench.router.restore([.shelf(place: 0, depth: 16)], now: .zero, into: &effects)
        bench.connect(1, 2, 3)
        _ = bench.receive([0x22], on: 3)
        let envelope = RouterBench.envelope(1)
        #expect(bench.receive(envelope, on: 1) == [.deliver(envelope, id: bench.id(envelope))])
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2)])
        #expect(bench.receive(envelope, on: 2) == [.dropped(.duplicate)])
        #expect(bench.router.store.count == 0)
        _ = bench.links.takeSent()
        _ = bench.receive(RouterBench.graft([bench.id(envelope)]), on: 3)
        #expect(bench.links.takeSent().map(\.message) == [envelope.encoded()])
    }

    @Test("Own mail outside the shelf is kept, and offered to a new neighbour")
    func own() {
        var bench = RouterBench()
        var effects: [RouterEffect] = []
        bench.router.restore([.shelf(place: 0, depth: 16)], now: .zero, into: &effects)
        let envelope = RouterBench.envelope(1)
        _ = bench.submit(envelope)
        #expect(bench.router.store.count == 1)
        bench.connect(1)
        let offer = RouterBench.offer([bench.id(envelope)])
        #expect(bench.links.takeSent().map(\.message) == [offer])
    }

    @Test("Neighbours compare only what both of their shelves cover", arguments: [0, 2, 6] as [UInt8])
    func comparing(depth: UInt8) {
        var pair = RouterPair()
        for (side, depth) in [(0, depth), (1, 1)] {
            var effects: [RouterEffect] = []
            pair.benches[side].router.restore([.shelf(place: 0x1000, depth: depth)], now: .zero, into: &effects)
        }
        let range = Shelf(of: 0x1000, depth: max(1, depth))
        let envelopes = (0..<400).map { RouterBench.envelope($0) }
        for (number, envelope) in envelopes.enumerated() {
            for side in 0..<2 where side != number % 3 {
                pair.benches[side].connect(9)
                _ = pair.benches[side].receive(envelope, on: 9)
                _ = pair.benches[side].links.takeSent()
            }
        }
        pair.connect()
        pair.pass(.seconds(3))
        let common = envelopes.map { pair.benches[0].id($0) }.filter {
            range.covers(UInt16(truncatingIfNeeded: $0.shortID >> 48))
        }
        #expect(!common.isEmpty)
        for side in 0..<2 {
            #expect(common.allSatisfy { pair.benches[side].router.store[$0.shortID] != nil })
            #expect(
                pair.benches[side].router.store.entries.values.allSatisfy {
                    pair.benches[side].router.store.shelf.covers($0.place)
                }
            )
        }
        let before = pair.comparisonByteCount
        pair.pass(.seconds(600))
        #expect(pair.comparisonByteCount - before <= 20 * 1_500)
    }
}
