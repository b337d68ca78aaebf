import MeshCore
import MeshSimulation
import Testing

@Suite("The tree")
struct RouterTreeTests {
    private let envelope = RouterBench.envelope(1)
    private let relayed = RouterBench.envelope(1)

    /// Makes a bench with three links, the third of them lazy; the record of sent messages is empty.
    private func lazyBench(_ configuration: RouterConfiguration = RouterConfiguration()) -> RouterBench {
        var bench = RouterBench(configuration)
        bench.connect(1, 2, 3)
        _ = bench.receive([0x22], on: 3)
        return bench
    }

    @Test("The first copy goes to eager neighbours at once and is announced to lazy ones after 5 ms")
    func eagerAndLazy() {
        var bench = lazyBench()
        #expect(bench.receive(envelope, on: 1) == [.deliver(relayed, id: bench.id(envelope))])
        #expect(
            bench.links.takeSent() == [
                .init(message: relayed.encoded(), lane: .interactive, tag: 0, link: LinkID(2))
            ]
        )
        #expect(bench.router.nextDeadline == bench.now.advanced(by: .milliseconds(5)))
        bench.pass(.milliseconds(5))
        #expect(
            bench.links.takeSent() == [
                .init(message: RouterBench.announce([bench.id(envelope)]), lane: .interactive, tag: 0, link: LinkID(3))
            ]
        )
    }

    @Test("Sixty announcements go at once, whatever the time; fresh ones apart from those of comparing")
    func announcementLimit() {
        var bench = lazyBench()
        let fresh = (0..<59).map { RouterBench.envelope($0) }
        for envelope in fresh { _ = bench.receive(envelope, on: 1) }
        #expect(bench.links.takeSent().allSatisfy { $0.link == LinkID(2) })
        let old = RouterBench.envelope(99)
        _ = bench.receive(old, on: 1, lane: .background)
        #expect(
            bench.links.takeSent().filter { $0.link == LinkID(3) } == [
                .init(
                    message: RouterBench.announce(fresh.map { bench.id($0) }),
                    lane: .interactive,
                    tag: 0,
                    link: LinkID(3)
                ),
                .init(message: RouterBench.announce([bench.id(old)]), lane: .background, tag: 0, link: LinkID(3)),
            ]
        )
    }

    @Test("A duplicate is answered by a prune, once in a round trip, and makes the link lazy")
    func prune() {
        var bench = RouterBench()
        bench.connect(1, 2, 3)
        _ = bench.receive(envelope, on: 1)
        _ = bench.links.takeSent()
        let prune = RecordedLinks.Sent(message: [0x22], lane: .control, tag: 0, link: LinkID(2))
        #expect(bench.receive(envelope, on: 2) == [.dropped(.duplicate)])
        #expect(bench.links.takeSent() == [prune])
        #expect(bench.receive(envelope, on: 2) == [.dropped(.duplicate)])
        #expect(bench.links.takeSent() == [])
        bench.pass(.milliseconds(10))
        #expect(bench.receive(envelope, on: 2) == [.dropped(.duplicate)])
        #expect(bench.links.takeSent() == [prune])
        _ = bench.receive(RouterBench.envelope(2), on: 1)
        #expect(bench.links.takeSent().map(\.link) == [LinkID(3)])
    }

    @Test("Whoever brings a first copy, or asks for one, is eager again")
    func eagerAgain() {
        var bench = lazyBench()
        _ = bench.receive(envelope, on: 3)
        _ = bench.receive(RouterBench.envelope(2), on: 1)
        #expect(bench.links.takeSent().map(\.link) == [1, 2, 2, 3].map { LinkID($0) })

        bench = lazyBench()
        _ = bench.receive(envelope, on: 1)
        _ = bench.links.takeSent()
        _ = bench.receive(RouterBench.graft([bench.id(envelope), bench.id(RouterBench.envelope(7))]), on: 3)
        #expect(
            bench.links.takeSent() == [
                .init(message: relayed.encoded(), lane: .interactive, tag: 0, link: LinkID(3))
            ]
        )
        _ = bench.receive(RouterBench.envelope(2), on: 1)
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2), LinkID(3)])
    }

    @Test("Who announced an envelope well before another brought it takes that one's place in the tree")
    func shorterWay() {
        var bench = lazyBench()
        let nothing: [UInt8] = [0x21, 0, 0, 0, 0, 0, 0, 0, 0]
        // The wait is 10 ms plus the round trip, which is 10 ms too.
        for (number, wait) in [(1, 19), (2, 20)] {
            let envelope = RouterBench.envelope(number)
            _ = bench.receive(RouterBench.announce([bench.id(envelope)]), on: 3)
            bench.now = bench.now.advanced(by: .milliseconds(wait))
            _ = bench.receive(envelope, on: 1)
            let words = bench.links.takeSent().filter { [0x21, 0x22].contains($0.message[0]) }
            let expected: [RecordedLinks.Sent] = [
                .init(message: nothing, lane: .control, tag: 0, link: LinkID(3)),
                .init(message: [0x22], lane: .control, tag: 0, link: LinkID(1)),
            ]
            #expect(words == (wait < 20 ? [] : expected))
        }
        _ = bench.submit(RouterBench.envelope(3))
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2), LinkID(3)])
        // After a request for nothing the node sends nothing, and from then on it sends every envelope.
        _ = bench.receive(nothing, on: 1)
        #expect(bench.links.takeSent() == [])
        _ = bench.submit(RouterBench.envelope(4))
        #expect(bench.links.takeSent().map(\.link) == [1, 2, 3].map { LinkID($0) })
    }

    @Test("What a lazy neighbour announced is fetched after 60 ms and two round trips, then from the next")
    func grafting() {
        var bench = RouterBench()
        bench.connect(1, 2, 3, 4)
        for link in 1...3 as ClosedRange<UInt64> { _ = bench.receive([0x22], on: link) }
        let ids = [bench.id(envelope)]
        _ = bench.receive(RouterBench.announce(ids), on: 2)
        _ = bench.receive(RouterBench.announce(ids), on: 1)
        _ = bench.receive(RouterBench.announce(ids), on: 2)
        bench.pass(.milliseconds(79))
        #expect(bench.links.takeSent() == [])
        bench.pass(.milliseconds(1))
        let graft = { (link: UInt64) in
            [RecordedLinks.Sent(message: RouterBench.graft(ids), lane: .control, tag: 0, link: LinkID(link))]
        }
        #expect(bench.links.takeSent() == graft(2))
        bench.pass(.milliseconds(39))
        #expect(bench.links.takeSent() == [])
        bench.pass(.milliseconds(1))
        #expect(bench.links.takeSent() == graft(1))
        // Both neighbours answer. The second answer is too late, but it is no abuse.
        #expect(bench.receive(envelope, on: 1).count == 1)
        #expect(bench.receive(envelope, on: 2) == [.dropped(.duplicate)])
        bench.pass(.seconds(5))
        #expect(bench.router.wanted.count == 0)
    }

    @Test("An announcement on an eager link means that its rate is used up: the envelope is fetched at once")
    func eagerAnnouncement() {
        var bench = RouterBench()
        bench.connect(1)
        let ids = [bench.id(envelope)]
        _ = bench.receive(RouterBench.announce(ids), on: 1)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.graft(ids)])
    }

    @Test("A node without any eager link fetches at once what is announced, since nobody would send it")
    func noEagerLink() {
        var bench = RouterBench()
        bench.connect(1, 2)
        for link in [1, 2] as [UInt64] { _ = bench.receive([0x22], on: link) }
        let ids = [bench.id(envelope)]
        _ = bench.receive(RouterBench.announce(ids), on: 2)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.graft(ids)])
    }

    @Test("A neighbour that keeps bringing envelopes is given more time, but not for ever")
    func patience() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let ids = [bench.id(envelope)]
        _ = bench.receive(RouterBench.announce(ids), on: 1)
        _ = bench.receive([0x22], on: 2)
        _ = bench.receive(RouterBench.announce(ids), on: 2)
        #expect(bench.links.takeSent().map(\.link) == [LinkID(1)])
        var asked: Int?
        for number in 1...300 where asked == nil {
            _ = bench.receive(RouterBench.envelope(100 + number), on: 1)
            bench.pass(.milliseconds(10))
            if bench.links.takeSent().contains(where: { $0.message == RouterBench.graft(ids) }) { asked = number }
        }
        #expect(asked == 200)
    }

    @Test("When the link that was asked ends, the next is asked at once; with no other it is forgotten")
    func linkDown() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let ids = [bench.id(envelope)]
        _ = bench.receive(RouterBench.announce(ids), on: 1)
        _ = bench.receive([0x22], on: 2)
        _ = bench.receive(RouterBench.announce(ids), on: 2)
        _ = bench.links.takeSent()
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        bench.pass(.zero)
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2)])
        bench.router.linkDown(LinkID(2), now: bench.now, over: &bench.links)
        bench.pass(.zero)
        #expect(bench.router.wanted.count == 0)
    }

    @Test("What one neighbour can announce, and be asked for at a time, is bounded")
    func limits() {
        var configuration = RouterConfiguration()
        configuration.announcedLimit = 5
        configuration.graftLimit = 3
        var bench = RouterBench(configuration)
        bench.connect(1, 2)
        let ids = (0..<8).map { bench.id(RouterBench.envelope($0)) }
        _ = bench.receive(RouterBench.announce(ids), on: 1)
        #expect(bench.router.wanted.count == 5)
        #expect(bench.router.wanted.askedCount(.announced, of: LinkID(1)) == 3)
        _ = bench.receive(RouterBench.announce(Array(ids[3...])), on: 2)
        #expect(bench.router.wanted.count == 8)
        #expect(bench.router.wanted.askedCount(.announced, of: LinkID(2)) == 3)
        for number in 0..<8 { _ = bench.receive(RouterBench.envelope(number), on: 1) }
        #expect(bench.router.wanted.count == 0)
        #expect(bench.router.wanted.askedCount(.announced, of: LinkID(1)) == 0)
        _ = bench.receive(RouterBench.announce([bench.id(RouterBench.envelope(20))]), on: 1)
        #expect(bench.router.wanted.count == 1)
    }

    @Test("A neighbour that announced what it was about to be told is not told")
    func holders() {
        var bench = RouterBench()
        bench.connect(1, 2, 3, 4)
        for link in [2, 3, 4] as [UInt64] { _ = bench.receive([0x22], on: link) }
        _ = bench.receive(RouterBench.announce([bench.id(envelope)]), on: 2)
        _ = bench.receive(envelope, on: 1)
        _ = bench.receive(RouterBench.announce([bench.id(envelope)]), on: 3)
        bench.pass(.milliseconds(5))
        #expect(bench.links.takeSent().map(\.link) == [LinkID(4)])
    }

    @Test("Probes go on all links, and neither they nor their duplicates change the tree")
    func probes() {
        var bench = lazyBench()
        let probe = RouterBench.envelope(1, kind: .probe)
        let first = bench.receive(probe, on: 1)
        #expect(first.count == 1)
        #expect(bench.trails == [Trail(label: PathLabel(trailOf: bench.id(probe)), link: LinkID(1), isProbe: true)])
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2), LinkID(3)])
        #expect(bench.receive(probe, on: 2) == [.dropped(.duplicate)])
        #expect(bench.links.takeSent() == [])
        _ = bench.receive(envelope, on: 1)
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2)])
    }

    @Test("Fresh messages leave trails, by the link of their first copy; other kinds and old messages leave none")
    func trails() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let own = RouterBench.envelope(1)
        _ = bench.submit(own)
        let fresh = RouterBench.envelope(2)
        for link in [2, 1] as [UInt64] { _ = bench.receive(fresh, on: link) }
        _ = bench.receive(RouterBench.envelope(3), on: 1, lane: .background)
        _ = bench.receive(RouterBench.envelope(4, kind: .bundle), on: 1)
        #expect(
            bench.trails == [
                Trail(label: PathLabel(trailOf: bench.id(own)), link: nil, isProbe: false),
                Trail(label: PathLabel(trailOf: bench.id(fresh)), link: LinkID(2), isProbe: false),
            ]
        )
    }

    @Test("Envelopes that are not stored can still be fetched, a bounded number of them, while they live")
    func passing() {
        var configuration = RouterConfiguration()
        configuration.unstoredCount = 3
        configuration.unstoredByteCount = 50
        var bench = lazyBench(configuration)
        let live = (0..<4).map { RouterBench.envelope($0, kind: .live, life: 2) }
        for envelope in live { _ = bench.receive(envelope, on: 1) }
        _ = bench.links.takeSent()
        bench.now = bench.now.advanced(by: .seconds(10))
        _ = bench.receive(RouterBench.graft(live.map { bench.id($0) }), on: 3)
        let expected = [2, 3].map { RouterBench.envelope($0, kind: .live, life: 1).encoded() }
        #expect(bench.links.takeSent().map(\.message) == expected)
        #expect(bench.router.unstored.byteCount == 40)
        bench.now = bench.now.advanced(by: .seconds(10))
        _ = bench.receive(RouterBench.graft([bench.id(live[3])]), on: 3)
        #expect(bench.links.takeSent() == [])
    }

    @Test("An own envelope that a neighbour announces or sends back is carried, and not sent to it again")
    func carried() {
        var bench = lazyBench()
        let id = bench.id(envelope)
        #expect(bench.submit(envelope) == [])
        #expect(bench.links.takeSent().map(\.link) == [LinkID(1), LinkID(2)])
        #expect(bench.receive(RouterBench.announce([id]), on: 3) == [.transmitted(id), .carried(id)])
        #expect(bench.receive(envelope, on: 1) == [.dropped(.duplicate)])
        _ = bench.links.takeSent()
        #expect(bench.submit(envelope) == [])
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2)])
    }

    @Test("Who offers an envelope and does not send it keeps it away no longer than another announcer may wait")
    func withheld() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let id = bench.id(envelope)
        _ = bench.receive(RouterBench.offer([id]), on: 1)
        #expect(bench.links.takeSent().contains { $0.link == LinkID(1) && $0.message == RouterBench.want([id]) })
        _ = bench.receive(RouterBench.announce([id]), on: 2)
        _ = bench.pass(.seconds(3))
        let grafts = bench.links.takeSent().filter { $0.message == RouterBench.graft([id]) }
        #expect(grafts.map(\.link) == [LinkID(2)])
    }

    @Test("What was announced is given once beside the rate of what neighbours ask for, own or not")
    func announcedGift() {
        var configuration = RouterConfiguration()
        (configuration.servedRate, configuration.servedBurst) = (512, 512)
        (configuration.announcedLimit, configuration.unstoredCount) = (20, 1_000)
        var bench = lazyBench(configuration)
        let envelopes = (0..<30).map { RouterBench.envelope($0) }
        for (number, envelope) in envelopes.enumerated() {
            if number.isMultiple(of: 2) { _ = bench.submit(envelope) } else { _ = bench.receive(envelope, on: 1) }
        }
        bench.pass(.milliseconds(5))
        func fetch(_ numbers: Range<Int>) -> Int {
            _ = bench.links.takeSent()
            for number in numbers { _ = bench.receive(RouterBench.graft([bench.id(envelopes[number])]), on: 3) }
            return bench.links.takeSent().count { $0.link == LinkID(3) && $0.lane == .interactive }
        }
        // The first ten are no longer remembered: one of them goes within the rate.
        #expect(fetch(0..<30) == 21)
        #expect(fetch(0..<30) == 0)
    }

    @Test("A fetched own envelope is reported on its way like a sent one")
    func graftedOwn() {
        var bench = lazyBench()
        _ = bench.submit(envelope)
        _ = bench.links.takeSent()
        _ = bench.receive(RouterBench.graft([bench.id(envelope)]), on: 3)
        #expect(bench.links.takeSent().map(\.tag) == [bench.id(envelope).shortID])
    }

    @Test("Announcements that a full lane refuses are offered when there is room")
    func refusedAnnouncement() {
        var bench = lazyBench()
        _ = bench.receive(envelope, on: 1)
        _ = bench.links.takeSent()
        bench.links.room = 0
        bench.pass(.milliseconds(5))
        bench.links.room = .max
        bench.router.writable(LinkID(3), now: bench.now, over: &bench.links)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.offer([bench.id(envelope)])])
    }

    @Test(
        "Words of the tree that are cut, too long or empty are dropped",
        arguments: [
            [0x20], [0x21], [0x22, 1], [0x20] + [UInt8](repeating: 1, count: 9),
            [0x21] + [UInt8](repeating: 1, count: 8 * 61), [0x23] + [UInt8](repeating: 1, count: 8),
        ] as [[UInt8]]
    )
    func malformed(message: [UInt8]) {
        var bench = RouterBench()
        bench.connect(1)
        #expect(bench.receive(message, on: 1) == [.dropped(.malformedMessage)])
    }

    @Test("Words of the tree come back out of their bytes")
    func codec() {
        let words: [TreeMessage] = [.announce([1, .max]), .graft(Array(0..<60)), .prune]
        #expect(words.map { TreeMessage(decoding: $0.encoded()) } == words)
        #expect(
            TreeMessage.announce([1, .max]).encoded() == [0x20, 0, 0, 0, 0, 0, 0, 0, 1]
                + Array(repeating: 255, count: 8)
        )
    }
}
