import MeshSimulation
import Testing

@testable import MeshCore

@Suite("Comparing stores by code")
struct RouterComparisonTests {
    private let offer: UInt8 = 1
    private let want: UInt8 = 2
    private let ask: UInt8 = 3
    private let symbols: UInt8 = 4

    @Test("Equal stores cost nothing but their summaries")
    func equal() {
        var pair = RouterPair()
        pair.hold(0..<1_000, at: 0)
        pair.hold((0..<1_000).reversed(), at: 1)
        pair.connect()
        pair.pass(.seconds(60))
        #expect(pair.sent == [[], []])
    }

    @Test(
        "A few differences among many envelopes are found within a second, and cost a few packets",
        arguments: [true, false]
    )
    func few(reversesOrder: Bool) {
        var pair = RouterPair(reversesOrder: reversesOrder)
        pair.hold(0..<1_005, at: 0)
        pair.hold(5..<1_010, at: 1)
        pair.connect()
        pair.pass(.milliseconds(100))
        #expect(pair.sent == [[], []])
        pair.pass(.seconds(1))
        #expect(pair.isEqual)
        #expect(pair.benches.map(\.router.store.count) == [1_010, 1_010])
        #expect([pair.count(offer, from: 0), pair.count(offer, from: 1)] == [1, 0])
        #expect(pair.comparisonByteCount < 1_500)
    }

    @Test("Whatever two nodes hold, both hold all of it soon after they meet", arguments: 1...12 as ClosedRange<UInt64>)
    func anyStores(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var pair = RouterPair(reversesOrder: seed % 2 == 0, seed: seed)
        let counts = (0..<3).map { _ in Int.random(in: 0...(seed % 3 == 0 ? 20 : 400), using: &random) }
        pair.hold(0..<(counts[0] + counts[1]), at: 0)
        pair.hold(counts[0]..<(counts[0] + counts[1] + counts[2]), at: 1)
        pair.connect()
        pair.pass(.seconds(2))
        #expect(pair.isEqual)
        #expect(pair.benches.map(\.router.store.count) == [counts.reduce(0, +), counts.reduce(0, +)])
    }

    @Test("A difference beyond the code is found by telling everything")
    func beyondTheCode() {
        var pair = RouterPair()
        pair.hold(0..<3_300, at: 0)
        pair.hold(3_200..<6_600, at: 1)
        pair.connect()
        pair.pass(.seconds(3))
        #expect(pair.isEqual)
        #expect(pair.count(symbols, from: 1) >= 69)
        #expect(pair.count(offer, from: 0) == 4)
    }

    @Test("Where a list is shorter than the code, the list is told", arguments: [(0, 1_000), (1_000, 0), (20, 21)])
    func lists(left: Int, right: Int) {
        var pair = RouterPair()
        pair.hold(0..<left, at: 0)
        pair.hold(10_000..<(10_000 + right), at: 1)
        pair.connect()
        pair.pass(.seconds(2))
        #expect(pair.isEqual)
        #expect(pair.count(symbols, from: 1) == 0)
    }

    @Test("Stores that differ by what one end does not want again are compared once, and then rest")
    func rest() throws {
        var small = RouterConfiguration()
        small.store.envelopeCount = 10
        var pair = RouterPair([RouterConfiguration(), small])
        pair.hold(0..<1_000, at: 0)
        pair.connect()
        pair.pass(.seconds(60))
        let shelf = pair.benches[1].router.store.shelf
        #expect(pair.benches[0].router.store.count == 1_000 && pair.benches[1].router.store.count <= 10)
        #expect(pair.effects[1].count { if case .deliver = $0 { true } else { false } } == 1_000)
        let (before, asked) = (pair.comparisonByteCount, pair.count(ask, from: 0))
        pair.pass(.seconds(600))
        #expect(pair.comparisonByteCount == before)
        // One of these is a reading of the shelf of the full store.
        #expect(asked == 3)
        // The comparison still finds a later envelope of the shelf, and still does not fetch those that went.
        let later = (5_000..<9_000).map { RouterBench.envelope($0) }.first { envelope in
            shelf.covers(UInt16(truncatingIfNeeded: pair.benches[0].id(envelope).shortID >> 48))
        }
        _ = pair.benches[0].submit(try #require(later))
        _ = pair.benches[0].links.takeSent()
        pair.pass(.seconds(10))
        #expect(pair.effects[1].count { if case .deliver = $0 { true } else { false } } == 1_001)
    }

    @Test("While comparisons move nothing they come ever less often")
    func backoff() {
        var bench = RouterBench()
        bench.hold([1])
        bench.connect(1, dialledHere: true)
        var times: [Int] = []
        for second in 1...1_000 {
            bench.hear(StoreSummary(digest: UInt32(second), count: 1), on: 1)
            bench.pass(.seconds(1))
            if !bench.links.takeSent().isEmpty { times.append(second) }
        }
        #expect(times == [1, 6, 16, 36, 76, 156, 316, 616, 916])
    }

    @Test("Stores that begin to differ later are compared after two seconds, and not if they are equal again by then")
    func patience() {
        var bench = RouterBench()
        bench.hold([1])
        bench.connect(1, dialledHere: true)
        bench.hear(bench.router.summary, on: 1)
        bench.pass(.seconds(10))
        for digest in [1, 2, 3] as [UInt32] {
            bench.hear(StoreSummary(digest: digest, count: 1), on: 1)
            bench.pass(.milliseconds(1_900))
            #expect(bench.links.takeSent() == [])
            bench.hear(bench.router.summary, on: 1)
            bench.pass(.seconds(10))
        }
        bench.hear(StoreSummary(digest: 1, count: 1), on: 1)
        #expect(bench.router.nextDeadline == bench.now.advanced(by: .seconds(2)))
        bench.pass(.seconds(2))
        #expect(bench.links.takeSent().count == 2)
    }

    @Test("The end that was dialled never begins, and a tick before anything is due changes nothing")
    func whoBegins() {
        var pair = RouterPair()
        pair.hold(0..<3, at: 0)
        pair.benches[0].connect(1)
        pair.benches[1].connect(1)
        pair.sendStatus()
        pair.pass(.seconds(60))
        #expect(pair.sent == [[], []])
        var bench = RouterBench()
        bench.hold(0..<100)
        bench.connect(1, dialledHere: true)
        bench.hear(StoreSummary(digest: 7, count: 100), on: 1)
        let due = bench.router.nextDeadline
        #expect(due == MeshInstant.zero.advanced(by: .milliseconds(200)))
        bench.pass(.milliseconds(200) - .nanoseconds(1))
        #expect(bench.router.nextDeadline == due)
        #expect(bench.links.takeSent() == [])
    }

    @Test("Two new neighbours with little mail list it at once, and with more they wait for what is under way")
    func short() {
        for (count, expected) in [(45, true), (46, false)] {
            var bench = RouterBench()
            bench.connect(1, dialledHere: true)
            bench.hear(StoreSummary(digest: 7, count: count), on: 1)
            bench.pass(.zero)
            #expect(bench.links.takeSent().isEmpty != expected)
        }
        // Mail that was written after the link came up is under way.
        var bench = RouterBench()
        bench.connect(1, dialledHere: true)
        _ = bench.submit(RouterBench.envelope(1))
        _ = bench.links.takeSent()
        bench.hear(StoreSummary(digest: 0, count: 0), on: 1)
        bench.pass(.zero)
        #expect(bench.links.takeSent().isEmpty)
    }

    private func asking(_ salt: UInt64, _ place: UInt16) -> [UInt8] {
        SyncMessage.ask(salt: salt, place: place, range: .everything).encoded()
    }

    @Test("Who asks without end gets no more than one comparison in two seconds")
    func amplification() {
        var bench = RouterBench()
        bench.hold(0..<2_000)
        bench.connect(1)
        var effects: [RouterEffect] = []
        for salt in 0..<1_000 as Range<UInt64> {
            effects += bench.receive(asking(salt, salt % 2 == 0 ? 0 : 4_096), on: 1)
            bench.now = bench.now.advanced(by: .milliseconds(1))
        }
        let sent = bench.links.takeSent().map(\.message)
        #expect(sent.map(\.first) == [symbols])
        #expect(effects == Array(repeating: .dropped(.limited), count: 999))
        // A request for the same positions again yields nothing, nor does a request ahead, and the code ends.
        for place in [0, 0, 20, 20, 60, 0, 4_095, .max, 20] as [UInt16] {
            _ = bench.receive(asking(0, place), on: 1)
        }
        #expect(bench.links.takeSent().count == 1)
        bench.now = bench.now.advanced(by: .seconds(2))
        _ = bench.receive(asking(7, 0), on: 1)
        for place in 0...4_095 as ClosedRange<UInt16> { _ = bench.receive(asking(7, place), on: 1) }
        let symbolCount = bench.links.takeSent().reduce(0) { count, sent in
            guard case .symbols(_, _, let symbols) = SyncMessage(decoding: sent.message) else { return count }
            return count + symbols.count
        }
        #expect(symbolCount == 4_096)
    }

    @Test("Symbols that a full lane refused go out as soon as there is room")
    func refused() {
        var bench = RouterBench()
        bench.hold(0..<2_000)
        bench.connect(1)
        var other = bench
        _ = other.receive(asking(1, 0), on: 1)
        bench.links.room = 0
        _ = bench.receive(asking(1, 0), on: 1)
        bench.links.room = .max
        bench.router.writable(LinkID(1), now: bench.now, over: &bench.links)
        #expect(bench.links.takeSent() == other.links.takeSent())
    }

    @Test("Symbols of no set end a comparison in a list, symbols that nobody asked for do nothing")
    func senseless() throws {
        var bench = RouterBench()
        bench.hold(0..<500)
        bench.connect(1, dialledHere: true)
        bench.hear(StoreSummary(digest: 7, count: 500), on: 1)
        bench.pass(.milliseconds(200))
        let message = try #require(bench.links.takeSent().map(\.message).first)
        guard case .ask(let salt, 0, _, _) = SyncMessage(decoding: message) else { throw NotAsked() }
        let pure = CodedSymbol(sum: 5, check: toyHash(5, salt), count: 501)
        func symbols(_ salt: UInt64, _ place: Int) -> [UInt8] {
            let symbols = Array(repeating: pure, count: min(60, SymbolPositions.limit - place))
            return SyncMessage.symbols(salt: salt, place: UInt16(place), symbols).encoded()
        }
        #expect(bench.receive(symbols(salt &+ 1, 0), on: 1) == [])
        #expect(bench.links.takeSent() == [])
        var answers: [UInt8] = []
        for place in stride(from: 0, to: SymbolPositions.limit, by: 60) {
            #expect(bench.receive(symbols(salt, place), on: 1) == [])
            answers = bench.links.takeSent().compactMap(\.message.first)
            if answers != [ask] { break }
        }
        #expect(answers == [ask, offer])
    }

    @Test("Eight messages of symbols that come too early are kept, and no more")
    func earlySymbols() throws {
        var bench = RouterBench()
        bench.hold(0..<500)
        bench.connect(1, dialledHere: true)
        bench.hear(StoreSummary(digest: 7, count: 500), on: 1)
        bench.pass(.milliseconds(200))
        let message = try #require(bench.links.takeSent().map(\.message).first)
        guard case .ask(let salt, 0, _, _) = SyncMessage(decoding: message) else { throw NotAsked() }
        let symbol = CodedSymbol(sum: 5, check: 6, count: 7)
        for place in 1...20 {
            _ = bench.receive(SyncMessage.symbols(salt: salt, place: UInt16(place), [symbol]).encoded(), on: 1)
        }
        let asking = try #require(bench.router.links.first?.comparison.asking)
        #expect(asking.early.keys.sorted() == Array(1...8))
        #expect(asking.decoder.symbolCount == 0)
    }

    private struct NotAsked: Error {}

    @Test("A comparison that gets no answer is given up, and begun again")
    func silence() {
        var bench = RouterBench()
        bench.hold(0..<500)
        bench.connect(1, dialledHere: true)
        bench.hear(StoreSummary(digest: 7, count: 500), on: 1)
        var times: [Int] = []
        for second in 1...100 {
            bench.hear(StoreSummary(digest: UInt32(second), count: 500), on: 1)
            bench.pass(.seconds(1))
            if !bench.links.takeSent().isEmpty { times.append(second) }
        }
        #expect(times == [1, 31, 61, 91])
    }

    @Test("Own envelopes that the neighbour is found to hold are carried", arguments: [true, false])
    func carried(areEqual: Bool) {
        // The limit on unrequested envelopes is so low that the comparison has to transfer nearly all.
        var configuration = RouterConfiguration()
        configuration.pushRate = EnvelopeRate(count: 1, countBurst: 1, bytes: 20_000, byteBurst: 20_000)
        var pair = RouterPair([configuration])
        let own = [600, 601, 602].map { RouterBench.envelope($0, life: 60_000) }
        pair.hold(0..<600, at: 0)
        for envelope in own { _ = pair.benches[0].submit(envelope) }
        pair.hold(areEqual ? 0..<603 : 0..<602, at: 1)
        pair.connect()
        pair.pass(.milliseconds(300))
        let carried = own.map { pair.effects[0].contains(.carried(pair.benches[0].id($0))) }
        #expect(carried == [true, true, areEqual])
    }
}
