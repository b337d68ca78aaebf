import MeshCore
import MeshSimulation
import Testing

@Suite("The tree of a crowd")
struct RouterCrowdTests {
    /// The links on which envelopes went whole, and those on which they were announced.
    private static func spread(_ bench: inout RouterBench, _ envelope: Envelope) -> (sent: [UInt64], told: [UInt64]) {
        bench.pass(.milliseconds(10))
        _ = bench.links.takeSent()
        _ = bench.submit(envelope)
        bench.pass(.milliseconds(60))
        let sent = bench.links.takeSent()
        let whole = sent.filter { $0.message == envelope.encoded() }.map(\.link.value)
        return (whole, sent.filter { $0.message.first == 0x20 }.map(\.link.value))
    }

    @Test("Spare links begin lazy once two are eager, other links and those among few do not")
    func start() {
        var crowd = RouterBench()
        crowd.connect(1...6, crowdFactor: 2)
        let first = Self.spread(&crowd, RouterBench.envelope(1))
        #expect(first.sent == [1, 2])
        var needed = RouterBench()
        needed.connect(1...6, crowdFactor: 2, isSpare: false)
        let second = Self.spread(&needed, RouterBench.envelope(1))
        #expect(second.sent == [1, 2, 3, 4, 5, 6])
        var few = RouterBench()
        few.connect(1...6, crowdFactor: 1)
        let third = Self.spread(&few, RouterBench.envelope(1))
        #expect(third.sent == [1, 2, 3, 4, 5, 6])
    }

    @Test("A lazy neighbour is told of its first envelope, and later one of as many as the crowd factor")
    func announcements() {
        var bench = RouterBench()
        bench.connect(1...7, crowdFactor: 5)
        var counts: [UInt64: Int] = [:]
        for number in 0..<50 {
            for link in Self.spread(&bench, RouterBench.envelope(number)).told { counts[link, default: 0] += 1 }
        }
        // All five links the first time, and then one of them each time.
        #expect(counts.values.reduce(0, +) == 5 + 49)
        #expect(counts.count == 5 && counts.values.allSatisfy { $0 >= 4 })
    }

    @Test("A probe goes on the links of the tree and, in place of an announcement, on lazy ones")
    func probes() {
        var bench = RouterBench()
        bench.connect(1...7, crowdFactor: 5)
        var copies = 0
        for number in 0..<10 {
            bench.pass(.seconds(1))
            _ = bench.links.takeSent()
            _ = bench.submit(RouterBench.envelope(number, kind: .live))
            bench.pass(.milliseconds(60))
            copies += bench.links.takeSent().count
        }
        // Two eager links each time, five lazy ones the first time, and then one of them each time.
        #expect(copies == 10 * 2 + 5 + 9)
    }

    @Test("A node whose links have all become lazy announces on all of them")
    func withoutTree() {
        var bench = RouterBench()
        bench.connect(1...4, crowdFactor: 10)
        for link in 1...4 as ClosedRange<UInt64> { _ = bench.receive([0x22], on: link) }
        for number in 0..<3 {
            let told = Self.spread(&bench, RouterBench.envelope(number)).told
            #expect(told == [1, 2, 3, 4])
        }
    }

    @Test("Where links were lazy before the crowd came, each envelope is announced on one of them")
    func later() {
        var bench = RouterBench()
        bench.connect(1...6, crowdFactor: 1)
        for link in 3...6 as ClosedRange<UInt64> { _ = bench.receive([0x22], on: link) }
        let before = Self.spread(&bench, RouterBench.envelope(0)).told
        #expect(before == [3, 4, 5, 6])
        for link in 1...6 as ClosedRange<UInt64> { bench.router.setCrowdFactor(10, of: LinkID(link)) }
        for number in 1..<20 {
            let told = Self.spread(&bench, RouterBench.envelope(number)).told
            #expect(told.count == 1)
        }
    }

    @Test("When a segment becomes crowded, spare links that have brought nothing leave the tree")
    func growth() {
        var bench = RouterBench()
        bench.connect(1...6, crowdFactor: 1)
        bench.pass(.milliseconds(10))
        _ = bench.receive(RouterBench.envelope(1), on: 6)
        for link in 1...6 as ClosedRange<UInt64> { bench.router.setCrowdFactor(3, of: LinkID(link)) }
        let crowded = Self.spread(&bench, RouterBench.envelope(2))
        #expect(crowded.sent == [5, 6])
        // Among few again, all are told of everything.
        for link in 1...6 as ClosedRange<UInt64> { bench.router.setCrowdFactor(1, of: LinkID(link)) }
        let few = Self.spread(&bench, RouterBench.envelope(3))
        #expect(few.told == [1, 2, 3, 4])
    }

    @Test("Announcements wait for others, and what is announced for the tree, longer in a crowd")
    func patience() {
        for factor in [1, 10] {
            var bench = RouterBench()
            bench.connect(1...6, crowdFactor: factor, isSpare: true)
            for link in 3...6 as ClosedRange<UInt64> { _ = bench.receive([0x22], on: link) }
            bench.pass(.milliseconds(10))
            _ = bench.links.takeSent()
            _ = bench.submit(RouterBench.envelope(1))
            bench.pass(.milliseconds(5 * factor - 1))
            #expect(!bench.links.takeSent().contains { $0.message.first == 0x20 })
            bench.pass(.milliseconds(1))
            #expect(bench.links.takeSent().contains { $0.message.first == 0x20 })
            let name = TreeMessage.announce([77]).encoded()
            _ = bench.receive(name, on: 5)
            // Two round trips of 10 ms come on top.
            bench.pass(.milliseconds(60 * factor + 19))
            let early = bench.links.takeSent()
            #expect(!early.contains { $0.message.first == 0x21 })
            bench.pass(.milliseconds(1))
            #expect(bench.links.takeSent().contains { $0.message.first == 0x21 })
        }
    }

    @Test("Stores that differ are compared later in a crowd")
    func comparing() {
        for factor in [1, 4] {
            var bench = RouterBench()
            bench.router.linkUp(
                LinkID(1),
                node: NodeID(1),
                dialledHere: true,
                crowdFactor: factor,
                now: bench.now,
                over: &bench.links
            )
            bench.hear(StoreSummary(digest: 0, count: 0), on: 1)
            bench.pass(.seconds(20))
            _ = bench.links.takeSent()
            let changed = bench.now
            bench.hear(StoreSummary(digest: 7, count: 1_000), on: 1)
            #expect(bench.router.nextDeadline == changed.advanced(by: .seconds(2 * factor)))
        }
    }
}
