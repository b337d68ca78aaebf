import MeshCore
import MeshSimulation
import Testing

/// Tests of the life that a node gives to messages: their whole one if they are fresh, else what a neighbour says.
@Suite("Life of messages")
struct RouterLifeTests {
    /// Units: ticks of 10 s.
    private static let longest: UInt16 = 25_920
    private let poisoned = RouterBench.envelope(1, life: 1)
    private let honest = RouterBench.envelope(1, life: longest)

    private static func bench() -> RouterBench {
        var bench = RouterBench()
        bench.connect(1, 2, 3)
        return bench
    }

    /// Returns the life that a node would write into the envelope now.
    private func life(in bench: RouterBench) -> UInt16? {
        bench.router.store[bench.id(honest).shortID]?.message(now: bench.now)
            .flatMap { Envelope(decoding: $0[...])?.life }
    }

    @Test("A fresh message gets its full life, whatever its header says", arguments: [Lane.control, .interactive])
    func fresh(lane: Lane) {
        var bench = Self.bench()
        _ = bench.receive(poisoned, on: 1, lane: lane)
        #expect(life(in: bench) == Self.longest)
        let sent = bench.links.takeSent()
        #expect(sent.map(\.message) == [honest.encoded(), honest.encoded()])
        bench.pass(.seconds(100))
        _ = bench.receive(honest, on: 2, lane: .background)
        #expect(life(in: bench) == Self.longest - 10)
    }

    @Test(
        "An old message keeps the life that it came with, and is wanted again when that ends",
        arguments: [.background, .bulk] as [Lane]
    )
    func old(lane: Lane) {
        var bench = Self.bench()
        _ = bench.receive(poisoned, on: 1, lane: lane)
        #expect(life(in: bench) == 1)
        #expect(bench.links.takeSent().map(\.lane) == [.background, .background])
        bench.pass(.seconds(10))
        #expect(bench.router.store.count == 0)
        _ = bench.receive(RouterBench.offer([bench.id(honest)]), on: 2)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.want([bench.id(honest)])])
        _ = bench.receive(honest, on: 2, lane: .background)
        #expect(life(in: bench) == Self.longest)
    }

    @Test("A message whose life has ended is taken and passed on again if its author posts it again")
    func again() {
        var bench = Self.bench()
        _ = bench.receive(honest, on: 1)
        #expect(bench.receive(honest, on: 2) == [.dropped(.duplicate)])
        bench.pass(.seconds(10 * Int(Self.longest)))
        #expect(bench.router.store.count == 0)
        _ = bench.links.takeSent()
        #expect(bench.receive(honest, on: 2) == [.deliver(honest, id: bench.id(honest))])
        #expect(bench.links.takeSent().contains { $0.message == honest.encoded() })
    }

    @Test("A fresh copy of another neighbour gives an old message its full life, and is announced once")
    func freshCopy() {
        var bench = Self.bench()
        _ = bench.receive(poisoned, on: 1, lane: .background)
        _ = bench.links.takeSent()
        _ = bench.receive(poisoned, on: 1)
        #expect(life(in: bench) == 1)
        _ = bench.links.takeSent()
        _ = bench.receive(poisoned, on: 2)
        #expect(life(in: bench) == Self.longest)
        bench.pass(.milliseconds(5))
        let announcement = RouterBench.announce([bench.id(honest)])
        let sent = bench.links.takeSent()
        #expect(sent.map(\.message) == [announcement, announcement])
        #expect(sent.map(\.link) == [LinkID(1), LinkID(3)] && sent.allSatisfy { $0.lane == .interactive })
        _ = bench.receive(announcement, on: 3)
        bench.pass(.milliseconds(5))
        #expect(bench.links.takeSent() == [])
    }

    @Test("A fresh announcement of another neighbour gives an old message its full life, before it came or after")
    func freshAnnouncement() {
        let announcement = RouterBench.announce([Self.bench().id(honest)])
        var late = Self.bench()
        _ = late.receive(poisoned, on: 1, lane: .background)
        _ = late.receive(announcement, on: 1)
        #expect(life(in: late) == 1)
        _ = late.receive(announcement, on: 2, lane: .background)
        #expect(life(in: late) == 1)
        _ = late.receive(announcement, on: 2)
        #expect(life(in: late) == Self.longest)

        var early = Self.bench()
        _ = early.receive([0x22], on: 2)
        _ = early.receive(announcement, on: 2)
        _ = early.links.takeSent()
        _ = early.receive(poisoned, on: 1, lane: .background)
        #expect(life(in: early) == Self.longest)
        #expect(early.links.takeSent().filter { $0.message == honest.encoded() }.map(\.lane) == [.interactive])

        var alone = Self.bench()
        _ = alone.receive([0x22], on: 1)
        _ = alone.receive(announcement, on: 1)
        _ = alone.receive(poisoned, on: 1, lane: .background)
        #expect(life(in: alone) == 1)
    }

    @Test("An old message stays old for a neighbour that asks for it as if it were fresh")
    func graft() {
        var bench = Self.bench()
        _ = bench.receive(honest, on: 1, lane: .background)
        _ = bench.links.takeSent()
        _ = bench.receive(RouterBench.graft([bench.id(honest)]), on: 3, lane: .control)
        #expect(bench.links.takeSent().map(\.lane) == [.background])
    }

    @Test("What is announced again as fresh is fetched within the rate of what neighbours ask for")
    func refreshedGift() {
        var configuration = RouterConfiguration()
        (configuration.servedRate, configuration.servedBurst) = (512, 512)
        var bench = RouterBench(configuration)
        bench.connect(1, 2, 3)
        _ = bench.receive([0x22], on: 3)
        let envelopes = (0..<5).map { RouterBench.envelope($0, kind: .sealed) }
        func fetched() -> Int {
            bench.pass(.milliseconds(5))
            _ = bench.links.takeSent()
            for envelope in envelopes { _ = bench.receive(RouterBench.graft([bench.id(envelope)]), on: 3) }
            return bench.links.takeSent().count { $0.lane == .interactive && $0.link == LinkID(3) }
        }
        for envelope in envelopes { _ = bench.receive(envelope, on: 1, lane: .background) }
        _ = fetched()
        _ = bench.receive([0x22], on: 3)
        _ = bench.receive(RouterBench.announce(envelopes.map { bench.id($0) }), on: 2)
        #expect(fetched() == 1)
    }

    @Test("What a log held counts as old, but not what this node wrote")
    func restored() {
        var bench = RouterBench()
        var effects: [RouterEffect] = []
        let own = RouterBench.envelope(2, life: 50)
        let records = [(poisoned, false), (own, true)].map { envelope, isOwn in
            StoreRecord.held(envelope, shortID: bench.id(envelope).shortID, isOwn: isOwn)
        }
        bench.router.restore(records, now: bench.now, into: &effects)
        #expect(bench.router.store[bench.id(poisoned).shortID]?.isOld == true)
        #expect(bench.router.store[bench.id(own).shortID]?.isOld == false)
        bench.connect(1)
        _ = bench.receive(poisoned, on: 1)
        #expect(life(in: bench) == Self.longest)
    }

    @Test("Other kinds keep the life that they came with, and a copy raises it")
    func others() {
        var bench = Self.bench()
        let id = bench.id(RouterBench.envelope(1, kind: .bundle)).shortID
        for (life, expected) in [(40, 40), (30, 40), (60, 60)] as [(UInt16, UInt16)] {
            _ = bench.receive(RouterBench.envelope(1, kind: .bundle, life: life), on: 1)
            let left = bench.router.store[id]?.message(now: bench.now).flatMap { Envelope(decoding: $0[...])?.life }
            #expect(left == expected)
        }
    }

    @Test("Bodies of sizes that a kind does not have are dropped by nodes that only relay")
    func sizes() {
        let kinds = KindPolicy([0: .message.sized(.oneOf([268])), 7: .chunk.sized(.range(21...40))])
        var bench = RouterBench(kinds: kinds)
        bench.connect(1, 2)
        for (kind, count, isAllowed) in [(0, 268, true), (0, 267, false), (7, 21, true), (7, 41, false)] {
            let envelope = RouterBench.envelope(count, kind: kind == 0 ? 0 : 7, byteCount: count)
            let effects = bench.receive(envelope, on: 1)
            #expect((effects != [.dropped(.malformedMessage)]) == isAllowed)
            #expect(bench.links.takeSent().isEmpty != isAllowed)
        }
    }
}
