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
    private static func bench(_ change: (inout RouterConfiguration) -> Void = { _ in }) -> RouterBench {
        var configuration = RouterConfiguration()
        change(&configuration)
        var bench = RouterBench(configuration)
        bench.router.store.setShelf(place: 0xF000, depth: 4)
        return bench
    }

    /// Envelopes of the neighbours' shelf.
    private static func covered(_ count: Int, _ bench: RouterBench) -> [Envelope] {
        let all = (0..<4_000).lazy.map { Fixture.envelope($0) }
        return Array(all.filter { shelf.covers(UInt16(bench.id($0).shortID >> 48)) }.prefix(count))
    }

    /// Lets time pass in steps of 100 ms; returns all effects.
    private static func run(_ bench: inout RouterBench, for duration: Duration) -> [RouterEffect] {
        (0..<Int(duration / .milliseconds(100))).flatMap { _ in bench.pass(.milliseconds(100)) }
    }

    /// A question for all that a shelf holds.
    private struct Question: Equatable {
        let link: UInt64
        let salt: UInt64
        let range: Shelf
        let hours: UInt8
    }

    /// Takes the questions that the node has asked since the last call.
    private static func questions(_ bench: inout RouterBench) -> [Question] {
        bench.links.takeSent().compactMap { sent in
            let message = SyncMessage(decoding: sent.message)
            guard case .ask(let salt, SyncMessage.Ending.failed, let range, let hours) = message else { return nil }
            return Question(link: sent.link.value, salt: salt, range: range, hours: hours)
        }
    }

    /// Tells the node that a question was answered whole.
    private static func end(_ question: Question, _ bench: inout RouterBench) {
        let end = SyncMessage.ask(salt: question.salt, place: SyncMessage.Ending.found, range: question.range)
        _ = bench.receive(end.encoded(), on: question.link, lane: .background)
    }

    private static func seeks(_ effects: [RouterEffect]) -> [(bytes: Set<Int>, depth: UInt8)] {
        effects.compactMap { effect in
            guard case .seekShelf(let bytes, let depth) = effect else { return nil }
            return (bytes, depth)
        }
    }

    private static let others = Set(0..<256).subtracting(0x50...0x5F)

    // MARK: - Reading

    @Test("After its start a node reads each neighbour's shelf once: six that it dialled at a time, and one other")
    func reads() {
        var bench = Self.bench()
        for link in 1...7 as ClosedRange<UInt64> { bench.connect(link, dialledHere: true) }
        bench.connect(8, 9)
        for link in 1...9 as ClosedRange<UInt64> { bench.hear(Self.summary, on: link) }
        _ = Self.run(&bench, for: .milliseconds(900))
        #expect(Self.questions(&bench) == [])
        _ = Self.run(&bench, for: .seconds(2))
        let first = Self.questions(&bench)
        #expect(first.map(\.link) == [1, 2, 3, 4, 5, 6, 8])
        #expect(first.allSatisfy { $0.range == Self.shelf && $0.hours == 0 })
        Self.end(first[0], &bench)
        let effects = Self.run(&bench, for: .seconds(2))
        #expect(effects.contains(.shelfRead(LinkID(1))) && !effects.contains(.shelfRead(LinkID(2))))
        #expect(Self.questions(&bench).map(\.link) == [7])
        // Readings that are not answered make room too.
        let later = Self.run(&bench, for: .seconds(30))
        #expect(later.contains(.shelfRead(LinkID(2))))
        #expect(Self.questions(&bench).map(\.link) == [9])
    }

    @Test(
        "What it reads outside its own shelf is delivered, and neither kept nor passed on nor kept for others",
        arguments: [2, 40]
    )
    func delivered(seconds: Int) throws {
        var bench = Self.bench()
        bench.connect(1, 2)
        bench.hear(Self.summary, on: 1)
        // After 30 s the reading has ended without an answer, which comes late.
        _ = Self.run(&bench, for: .seconds(seconds))
        let envelope = Self.covered(1, bench)[0]
        let id = bench.id(envelope)
        _ = bench.receive(Fixture.offer([id]), on: 1)
        _ = bench.links.takeSent()
        #expect(bench.receive(envelope, on: 1, lane: .background) == [.deliver(envelope, id: id)])
        _ = Self.run(&bench, for: .seconds(2))
        #expect(bench.links.takeSent().filter { $0.link == LinkID(2) } == [])
        #expect(bench.router.store[id.shortID] == nil && bench.router.unstored.count == 0)
        // It need not come again.
        _ = bench.receive(Fixture.offer([id]), on: 2)
        #expect(bench.links.takeSent().filter { $0.message.first == 2 } == [])
    }

    @Test("Mail that was read, and then comes fresh, is passed on once all the same", arguments: [true, false])
    func late(isPushed: Bool) throws {
        var bench = Self.bench()
        bench.router.setSegments([.one: true], now: bench.now)
        bench.connect(1, 2, 3)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(2))
        let envelope = Self.covered(1, bench)[0]
        _ = bench.receive(Fixture.offer([bench.id(envelope)]), on: 1)
        _ = bench.receive(envelope, on: 1, lane: .background)
        _ = bench.links.takeSent()
        for isFirst in [true, false] {
            let effects = isPushed ? bench.hearPush(envelope, on: .one) : bench.receive(envelope, on: 2)
            #expect(effects.contains { if case .deliver = $0 { true } else { false } } == false)
            _ = Self.run(&bench, for: .milliseconds(100))
            let sent = bench.links.takeSent().filter { $0.message.count > 20 }
            #expect(sent.contains { $0.link == LinkID(3) } == isFirst)
        }
        #expect(bench.trails.count == 1)
    }

    @Test(
        "What a neighbour offers besides its shelf, or after the reading, is passed on as ever",
        arguments: [true, false]
    )
    func others(isBeside: Bool) throws {
        var bench = Self.bench()
        bench.connect(1, 2)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(2))
        let question = try #require(Self.questions(&bench).first)
        if !isBeside {
            Self.end(question, &bench)
            _ = Self.run(&bench, for: .seconds(1))
        }
        let other = (0..<100).lazy.map { Fixture.envelope($0) }.first {
            let place = UInt16(bench.id($0).shortID >> 48)
            return !Self.shelf.covers(place) && !bench.router.store.shelf.covers(place)
        }
        let envelope = isBeside ? try #require(other) : Self.covered(1, bench)[0]
        _ = bench.receive(Fixture.offer([bench.id(envelope)]), on: 1)
        _ = bench.links.takeSent()
        _ = bench.receive(envelope, on: 1, lane: .background)
        _ = Self.run(&bench, for: .seconds(1))
        #expect(bench.links.takeSent().contains { $0.link == LinkID(2) && $0.message.count > 20 })
    }

    @Test("A shelf of which there was no room for everything is read again", arguments: [false, true])
    func cut(byOther: Bool) throws {
        var bench = Self.bench { ($0.namedLimit, $0.requestLimit) = (10, byOther ? 2 : 1_000) }
        bench.connect(1, 2)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(2))
        let first = try #require(Self.questions(&bench).first)
        let envelopes = Self.covered(20, bench)
        _ = bench.receive(Fixture.offer(envelopes.prefix(byOther ? 10 : 15).map { bench.id($0) }), on: 1)
        // Another neighbour's offers take the places of some of these.
        if byOther { _ = bench.receive(Fixture.offer(envelopes.suffix(4).map { bench.id($0) }), on: 2) }
        Self.end(first, &bench)
        for envelope in envelopes { _ = bench.receive(envelope, on: 1, lane: .background) }
        for envelope in envelopes.suffix(4) { _ = bench.receive(envelope, on: 2, lane: .background) }
        let effects = Self.run(&bench, for: .seconds(4))
        #expect(!effects.contains(.shelfRead(LinkID(1))))
        let second = try #require(Self.questions(&bench).first)
        Self.end(second, &bench)
        #expect(Self.run(&bench, for: .seconds(1)).contains(.shelfRead(LinkID(1))))
    }

    @Test("A shelf for which there is never room is read six times")
    func neverRoom() {
        var bench = Self.bench { $0.namedLimit = 1 }
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        let ids = Self.covered(3, bench).map { bench.id($0) }
        var count = 0
        for _ in 0..<600 {
            _ = bench.pass(.milliseconds(100))
            for question in Self.questions(&bench) {
                count += 1
                _ = bench.receive(Fixture.offer(ids), on: 1)
                Self.end(question, &bench)
            }
        }
        #expect(count == 6)
    }

    @Test("An envelope that a neighbour no longer has keeps its reading from ending for five seconds")
    func gone() throws {
        var bench = Self.bench()
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(2))
        let question = try #require(Self.questions(&bench).first)
        _ = bench.receive(Fixture.offer(Self.covered(2, bench).map { bench.id($0) }), on: 1)
        Self.end(question, &bench)
        #expect(!Self.run(&bench, for: .seconds(4)).contains(.shelfRead(LinkID(1))))
        #expect(Self.run(&bench, for: .seconds(2)).contains(.shelfRead(LinkID(1))))
    }

    @Test("Reading ends when so many envelopes were read as may be")
    func budget() throws {
        var bench = Self.bench { $0.catchUpLimit = 2 }
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        _ = Self.run(&bench, for: .seconds(2))
        let question = try #require(Self.questions(&bench).first)
        let envelopes = Self.covered(2, bench)
        _ = bench.receive(Fixture.offer(envelopes.map { bench.id($0) }), on: 1)
        for envelope in envelopes { _ = bench.receive(envelope, on: 1, lane: .background) }
        Self.end(question, &bench)
        bench.connect(2)
        bench.hear(Self.summary, on: 2)
        let effects = Self.run(&bench, for: .seconds(5))
        #expect(effects.contains(.shelfRead(LinkID(1))) && Self.questions(&bench) == [])
        #expect(bench.router.nextDeadline > bench.now.advanced(by: .seconds(60)))
    }

    @Test("A neighbour is read only once it may be asked again after a comparison, and compared only after that")
    func rests() throws {
        var bench = RouterBench()
        bench.router.store.setShelf(place: 0x5800, depth: 5)
        bench.connect(1, dialledHere: true)
        var sums = SIMD16<UInt32>.zero
        sums[5] = 9
        bench.hear(StoreSummary(shelf: Self.shelf, sums: sums, count: 400), on: 1)
        _ = Self.run(&bench, for: .milliseconds(2_900))
        // It compares what both shelves cover by a list of all, which the other end answers too.
        #expect(bench.router.counters.comparisons == 1)
        #expect(Self.questions(&bench).map(\.range) == [Shelf(of: 0x5800, depth: 5)])
        _ = Self.run(&bench, for: .seconds(1))
        let questions = Self.questions(&bench)
        #expect(questions.map(\.range) == [Self.shelf])
        let salt = try #require(questions.first).salt
        let question = SyncMessage.ask(salt: salt, place: SyncMessage.Ending.found, range: Self.shelf)
        _ = bench.receive(question.encoded(), on: 1)
        sums[5] = 10
        bench.hear(StoreSummary(shelf: Self.shelf, sums: sums, count: 400), on: 1)
        _ = Self.run(&bench, for: .milliseconds(2_200))
        #expect(bench.router.counters.comparisons == 1)
        _ = Self.run(&bench, for: .seconds(1))
        #expect(bench.router.counters.comparisons == 2)
    }

    // MARK: - Shelves

    @Test("It looks for shelves that it has read least, and then for those that it has read less than three times")
    func seeks() {
        var bench = Self.bench()
        for link in [1, 2] as [UInt64] { bench.connect(link, dialledHere: true) }
        bench.hear(Self.summary, on: 1)
        bench.hear(Self.summary, on: 2)
        let effects = Self.run(&bench, for: .seconds(4))
        #expect(Self.seeks(effects).first?.bytes == Set(0..<256))
        #expect(Self.seeks(effects).last?.bytes == Self.others)
        for question in Self.questions(&bench) { Self.end(question, &bench) }
        let seeks = Self.seeks(Self.run(&bench, for: .seconds(1)))
        #expect(seeks.last?.bytes == Self.others && seeks.allSatisfy { $0.depth == 4 })
        var catchUp = CatchUp(configuration: RouterConfiguration(), now: .zero)
        for _ in 0..<3 { catchUp.noteRead(.everything) }
        #expect(catchUp.leastRead(besides: []) == [])
        // A reading that got no answer does not count.
        var silent = Self.bench()
        silent.connect(1, dialledHere: true)
        silent.hear(Self.summary, on: 1)
        #expect(Self.seeks(Self.run(&silent, for: .seconds(40))).last?.bytes == Set(0..<256))
    }

    @Test("A shelf that is larger than usual, or changes meanwhile, does not count as read")
    func young() {
        let young = StoreSummary(shelf: Shelf(of: 0, depth: 1), sums: .zero, count: 3)
        var bench = Self.bench { $0.readingLimit = 4 }
        for link in 1...4 as ClosedRange<UInt64> { bench.connect(link, dialledHere: true) }
        for link in [1, 2] as [UInt64] { bench.hear(Self.summary, on: link) }
        bench.hear(young, on: 3)
        bench.hear(StoreSummary(shelf: Shelf(of: 0x9000, depth: 4), sums: .zero, count: 3), on: 4)
        _ = Self.run(&bench, for: .milliseconds(1_600))
        bench.hear(StoreSummary(shelf: Shelf(of: 0x9000, depth: 5), sums: .zero, count: 3), on: 4)
        let questions = Self.questions(&bench)
        #expect(questions.count == 4)
        for question in questions { Self.end(question, &bench) }
        let effects = Self.run(&bench, for: .seconds(3))
        #expect(effects.contains(.shelfRead(LinkID(3))) && effects.contains(.shelfRead(LinkID(4))))
        #expect(Self.seeks(effects).last?.bytes == Self.others)
    }

    @Test("Neighbours that dialled this node do not count, and do not change how deep a shelf must be for that")
    func strangers() {
        var bench = Self.bench()
        bench.connect(1, dialledHere: true)
        bench.hear(Self.summary, on: 1)
        bench.connect(2, 3, 4, 5)
        for link in 2...5 as ClosedRange<UInt64> {
            bench.hear(StoreSummary(shelf: .everything, sums: .zero, count: 3), on: link)
        }
        bench.connect(6)
        bench.hear(StoreSummary(shelf: Shelf(of: 0x9000, depth: 4), sums: .zero, count: 3), on: 6)
        var seeks = Self.seeks(Self.run(&bench, for: .seconds(3)))
        let questions = Self.questions(&bench)
        #expect(questions.map(\.link) == [1, 6])
        for question in questions { Self.end(question, &bench) }
        seeks += Self.seeks(Self.run(&bench, for: .seconds(1)))
        #expect(seeks.allSatisfy { $0.depth == 4 } && seeks.last?.bytes == Self.others)
    }
}
