import Bytes
import Testing

@testable import MeshCore

@Suite("Coming back to full stores")
struct CatchUpTests {
    private typealias Fixture = RouterBench

    /// The shelf of neighbours: the places that begin with `0101`.
    private static let shelf = Shelf(of: 0x5000, depth: 4)
    private static let summary = StoreSummary(shelf: shelf, sums: .zero, count: 40)

    /// A node whose own shelf begins with `1111`, and that has just started.
    private static func bench() -> RouterBench {
        var bench = RouterBench()
        bench.router.store.setShelf(place: 0xF000, depth: 4)
        return bench
    }

    /// An envelope of the neighbours' shelf.
    private static func envelope(_ bench: RouterBench, skipping count: Int = 0) throws -> Envelope {
        let covered = (0..<2_000).lazy.map { Fixture.envelope($0) }.filter { envelope in
            shelf.covers(UInt16(bench.id(envelope).shortID >> 48))
        }
        return try #require(covered.dropFirst(count).first)
    }

    /// Lets time pass in steps of 100 ms; returns all effects.
    private static func run(_ bench: inout RouterBench, for duration: Duration) -> [RouterEffect] {
        (0..<Int(duration / .milliseconds(100))).flatMap { _ in bench.pass(.milliseconds(100)) }
    }

    /// The ranges of which the node asked for everything, by link.
    private static func readings(_ bench: inout RouterBench) -> [UInt64: [Shelf]] {
        var ranges: [UInt64: [Shelf]] = [:]
        for sent in bench.links.takeSent() {
            guard case .ask(_, SyncMessage.Ending.failed, let range) = SyncMessage(decoding: sent.message) else {
                continue
            }
            ranges[sent.link.value, default: []].append(range)
        }
        return ranges
    }

    private static func seeks(_ effects: [RouterEffect]) -> [(bytes: Set<Int>, depth: UInt8)] {
        effects.compactMap { effect in
            guard case .seekShelf(let bytes, let depth) = effect else { return nil }
            return (bytes, depth)
        }
    }

    @Test("A node that has just started has each neighbour offer its whole shelf once, whoever dialled")
    func reads() {
        var bench = Self.bench()
        bench.connect(1)
        bench.connect(2, dialledHere: true)
        for link in [1, 2] as [UInt64] { bench.hear(Self.summary, on: link) }
        _ = Self.run(&bench, for: .milliseconds(900))
        #expect(Self.readings(&bench) == [:])
        _ = Self.run(&bench, for: .seconds(30))
        #expect(Self.readings(&bench) == [1: [Self.shelf], 2: [Self.shelf]])
    }

    @Test("What it reads outside its own shelf is delivered, and neither kept nor passed on nor kept for others")
    func delivered() throws {
        var bench = Self.bench()
        bench.connect(1, 2)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(2))
        let envelope = try Self.envelope(bench)
        _ = bench.receive(Fixture.offer([bench.id(envelope)]), on: 1)
        _ = bench.links.takeSent()
        let effects = bench.receive(envelope, on: 1, lane: .background)
        #expect(effects == [.deliver(envelope, id: bench.id(envelope))])
        _ = Self.run(&bench, for: .seconds(2))
        #expect(bench.links.takeSent().filter { $0.link == LinkID(2) } == [])
        #expect(bench.router.store[bench.id(envelope).shortID] == nil && bench.router.unstored.count == 0)
        // It need not come again.
        _ = bench.receive(Fixture.offer([bench.id(envelope)]), on: 2)
        #expect(bench.links.takeSent().filter { $0.message.first == 2 } == [])
    }

    @Test("What a neighbour offers besides its shelf is passed on as ever")
    func others() throws {
        var bench = Self.bench()
        bench.connect(1, 2)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(2))
        let other = try #require(
            (0..<100).lazy.map { Fixture.envelope($0) }.first {
                let place = UInt16(bench.id($0).shortID >> 48)
                return !Self.shelf.covers(place) && !bench.router.store.shelf.covers(place)
            }
        )
        _ = bench.receive(Fixture.offer([bench.id(other)]), on: 1)
        _ = bench.links.takeSent()
        _ = bench.receive(other, on: 1, lane: .background)
        _ = Self.run(&bench, for: .seconds(1))
        #expect(bench.links.takeSent().contains { $0.link == LinkID(2) && $0.message.count > 20 })
    }

    @Test("It looks for shelves that it has read least, and then for those that it has read less than three times")
    func seeks() {
        var bench = Self.bench()
        bench.connect(1, 2)
        bench.hear(Self.summary, on: 1)
        bench.hear(Self.summary, on: 2)
        let effects = Self.run(&bench, for: .seconds(4))
        #expect(effects.contains(.shelfRead(LinkID(1))) && effects.contains(.shelfRead(LinkID(2))))
        let seeks = Self.seeks(effects)
        #expect(seeks.allSatisfy { $0.depth == 4 } && seeks.first?.bytes == Set(0..<256))
        #expect(seeks.last?.bytes == Set(0..<256).subtracting(0x50...0x5F))
        var catchUp = CatchUp(configuration: RouterConfiguration(), now: .zero)
        for _ in 0..<3 { catchUp.noteRead(.everything) }
        #expect(catchUp.leastRead(besides: []) == [])
    }

    @Test("A shelf that is larger than usual, or changes meanwhile, does not count as read")
    func young() {
        let young = StoreSummary(shelf: Shelf(of: 0, depth: 1), sums: .zero, count: 3)
        var bench = Self.bench()
        bench.connect(1, 2, 3, 4)
        for link in [1, 2] as [UInt64] { bench.hear(Self.summary, on: link) }
        bench.hear(young, on: 3)
        bench.hear(StoreSummary(shelf: Shelf(of: 0x9000, depth: 4), sums: .zero, count: 3), on: 4)
        _ = Self.run(&bench, for: .milliseconds(1_600))
        bench.hear(StoreSummary(shelf: Shelf(of: 0x9000, depth: 5), sums: .zero, count: 3), on: 4)
        let effects = Self.run(&bench, for: .seconds(3))
        #expect(effects.contains(.shelfRead(LinkID(3))) && effects.contains(.shelfRead(LinkID(4))))
        #expect(Self.seeks(effects).last?.bytes == Set(0..<256).subtracting(0x50...0x5F))
    }

    @Test("A shelf that the own one covers is compared as ever, and counts as read")
    func covered() {
        var bench = RouterBench()
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        let effects = Self.run(&bench, for: .seconds(4))
        #expect(Self.readings(&bench) == [:] && effects.contains(.shelfRead(LinkID(1))))
        #expect(Self.seeks(effects).last?.bytes == Set(0..<256).subtracting(0x50...0x5F))
    }

    @Test("Where no store is full nothing is read, and no time is planned")
    func calm() {
        var bench = RouterBench()
        bench.connect(1, dialledHere: true)
        bench.hear(StoreSummary(digest: 0, count: 0), on: 1)
        #expect(bench.router.nextDeadline == .distantFuture)
        #expect(Self.run(&bench, for: .seconds(5)) == [] && Self.readings(&bench) == [:])
    }

    @Test("Reading begins anew after a minute without links, and not after less", arguments: [59, 61])
    func absence(seconds: Int) {
        var bench = Self.bench()
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(601))
        #expect(Self.readings(&bench) == [1: [Self.shelf]])
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        _ = Self.run(&bench, for: .seconds(seconds))
        bench.connect(2)
        bench.hear(Self.summary, on: 2)
        _ = Self.run(&bench, for: .seconds(3))
        #expect(Self.readings(&bench) == (seconds < 60 ? [:] : [2: [Self.shelf]]))
    }

    @Test("A neighbour is read only once it may be asked again after a comparison")
    func rests() {
        var bench = RouterBench()
        bench.router.store.setShelf(place: 0x5800, depth: 5)
        bench.connect(1, dialledHere: true)
        var sums = SIMD16<UInt32>.zero
        sums[5] = 9
        bench.hear(StoreSummary(shelf: Self.shelf, sums: sums, count: 400), on: 1)
        _ = Self.run(&bench, for: .milliseconds(2_900))
        // It compares what both shelves cover by a list of all, which the other end answers too.
        #expect(bench.router.counters.comparisons == 1)
        #expect(Self.readings(&bench) == [1: [Shelf(of: 0x5800, depth: 5)]])
        _ = Self.run(&bench, for: .seconds(1))
        #expect(Self.readings(&bench) == [1: [Self.shelf]])
    }
}
