import MeshCore
import MeshSimulation
import Testing

@Suite("Comparing stores")
struct RouterSynchronisationTests {
    private let envelopes = (0..<5).map { RouterBench.envelope($0) }

    private func ids(_ bench: RouterBench, _ envelopes: [Envelope]) -> [EnvelopeID] { envelopes.map { bench.id($0) } }

    /// The message by which a neighbour requests an offer of every envelope.
    private let askForAll: [UInt8] = [0x03, 1, 2, 3, 4, 5, 6, 7, 8, 0x10, 0x00, 0, 0, 0, 0]

    @Test("Who asks for everything is offered all that is held, but nothing in its last minute")
    func offerAll() {
        var bench = RouterBench()
        for envelope in envelopes { _ = bench.submit(envelope) }
        _ = bench.submit(RouterBench.envelope(99, life: 6))
        bench.connect(1)
        _ = bench.links.takeSent()
        #expect(bench.receive(askForAll, on: 1) == [])
        #expect(
            bench.links.takeSent() == [
                .init(message: RouterBench.offer(ids(bench, envelopes)), lane: .background, tag: 0, link: LinkID(1)),
                .init(message: RouterBench.endOfOffers(to: askForAll), lane: .background, tag: 0, link: LinkID(1)),
            ]
        )
    }

    @Test("Offers go in pages of a thousand, and go on where the link refused")
    func pages() {
        var bench = RouterBench()
        let many = (0..<2_500).map { RouterBench.envelope($0) }
        bench.hold(0..<2_500, life: 100)
        bench.links.room = 1
        bench.connect(1)
        _ = bench.receive(askForAll, on: 1)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.offer(ids(bench, Array(many[0..<1_000])))])
        bench.links.room = .max
        bench.router.writable(LinkID(1), now: bench.now, over: &bench.links)
        #expect(
            bench.links.takeSent().map(\.message) == [
                RouterBench.offer(ids(bench, Array(many[1_000..<2_000]))),
                RouterBench.offer(ids(bench, Array(many[2_000..<2_500]))),
                RouterBench.endOfOffers(to: askForAll),
            ]
        )
    }

    @Test("Only what is neither held nor buried is wanted")
    func wanting() {
        var bench = RouterBench()
        bench.connect(1)
        _ = bench.receive(envelopes[0], on: 1)
        let offer = RouterBench.offer(ids(bench, envelopes))
        #expect(bench.receive(offer, on: 1) == [])
        #expect(
            bench.links.takeSent() == [
                .init(
                    message: RouterBench.want(ids(bench, Array(envelopes[1...]))),
                    lane: .control,
                    tag: 0,
                    link: LinkID(1)
                )
            ]
        )
        #expect(bench.receive(offer, on: 1) == [])
        #expect(bench.links.takeSent() == [])
    }

    @Test("What one neighbour was asked for the others are not, unless that link ends")
    func oneAtATime() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let offer = RouterBench.offer(ids(bench, envelopes))
        _ = bench.receive(offer, on: 1)
        _ = bench.receive(offer, on: 2)
        #expect(bench.links.takeSent().map(\.link) == [LinkID(1)])
        _ = bench.receive(envelopes[0], on: 1, lane: .background)
        // The other has it.
        #expect(bench.links.takeSent() == [])
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        #expect(
            bench.links.takeSent() == [
                .init(
                    message: RouterBench.want(ids(bench, Array(envelopes[1...])).sorted { $0.shortID < $1.shortID }),
                    lane: .control,
                    tag: 0,
                    link: LinkID(2)
                )
            ]
        )
    }

    @Test("A neighbour that does not answer is given up, and another asked")
    func silence() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let offer = RouterBench.offer(ids(bench, envelopes))
        _ = bench.receive(offer, on: 1)
        _ = bench.receive(offer, on: 2)
        _ = bench.links.takeSent()
        bench.pass(.seconds(29))
        #expect(bench.links.takeSent() == [])
        #expect(bench.router.nextDeadline == bench.now.advanced(by: .seconds(1)))
        bench.pass(.seconds(1))
        #expect(bench.links.takeSent().map(\.link) == [LinkID(2)])
    }

    @Test("Requests under way are bounded; the next go out when half have come")
    func requestLimit() {
        var configuration = RouterConfiguration()
        configuration.requestLimit = 4
        configuration.namedLimit = 7
        var bench = RouterBench(configuration)
        bench.connect(1)
        let many = (0..<20).map { RouterBench.envelope($0) }
        let names = ids(bench, many)
        _ = bench.receive(RouterBench.offer(names), on: 1)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.want(Array(names[0..<4]))])
        _ = bench.receive(many[0], on: 1)
        #expect(bench.links.takeSent() == [])
        _ = bench.receive(many[1], on: 1)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.want(Array(names[4..<6]))])
        _ = bench.receive(many[2], on: 1)
        _ = bench.receive(many[3], on: 1)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.want([names[6]])])
    }

    @Test("What is wanted goes out in the order in which it is wanted, each once, with what is left of its life")
    func answering() {
        var bench = RouterBench()
        bench.connect(9)
        for envelope in envelopes { _ = bench.receive(envelope, on: 9) }
        bench.connect(1)
        bench.pass(.seconds(25))
        _ = bench.links.takeSent()
        let wanted = ids(bench, [envelopes[3], RouterBench.envelope(77), envelopes[1], envelopes[3]])
        bench.links.room = 1
        #expect(bench.receive(RouterBench.want(wanted), on: 1) == [])
        bench.links.room = .max
        bench.router.writable(LinkID(1), now: bench.now, over: &bench.links)
        let expected = [3, 1].map { RouterBench.envelope($0, life: 25_918).encoded() }
        let sent = bench.links.takeSent().filter { $0.link == LinkID(1) }
        #expect(sent.map(\.message) == expected)
        #expect(sent.map(\.lane) == [.background, .background])
    }

    @Test("All neighbours together are asked for so many a second, and each in its turn")
    func askingRate() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let offered = (0..<8_000).map { bench.id(RouterBench.envelope($0)) }
        for page in 0..<4 {
            let ids = Array(offered[1_000 * page..<1_000 * (page + 1)])
            _ = bench.receive(RouterBench.offer(ids), on: 1)
        }
        _ = bench.receive(RouterBench.offer(Array(offered[7_900..<8_000])), on: 2)
        func asked() -> [LinkID: Int] {
            var counts: [LinkID: Int] = [:]
            for sent in bench.links.takeSent() where sent.message.first == 2 {
                counts[sent.link, default: 0] += (sent.message.count - 3) / 8
            }
            return counts
        }
        #expect(asked() == [LinkID(1): 300])
        for _ in 0..<10 { bench.pass(.milliseconds(25)) }
        // The first one is asked for no more while over half of a lot is open, the second for all that it has.
        #expect(asked() == [LinkID(1): 250, LinkID(2): 100])
    }

    @Test("Of many neighbours the two that wait share the rate, and one that asks by GRAFT takes none of it")
    func servingTurns() {
        var configuration = RouterConfiguration()
        configuration.servedRate = 51_200
        configuration.servedBurst = 51_200
        var bench = RouterBench(configuration)
        bench.connect(1, 2, 3, 4, 5, 6, 7, 8)
        bench.hold(0..<1_000)
        let held = (0..<1_000).map { bench.id(RouterBench.envelope($0)) }
        _ = bench.links.takeSent()
        for start in stride(from: 0, to: 960, by: 60) {
            let graft = RouterBench.graft(Array(held[start..<start + 60]))
            _ = bench.receive(graft, on: 7)
        }
        // A hundred go by the rate of GRAFT; the rest waits, and a hundred of it go at once.
        #expect(bench.links.takeSent().count == 200)
        _ = bench.receive(RouterBench.want(held), on: 8)
        var counts: [LinkID: Int] = [:]
        for step in 0..<700 {
            bench.pass(.milliseconds(10))
            // This link uses all of the rate of GRAFT, and waits for none of the other.
            if step % 2 == 0 { _ = bench.receive(RouterBench.graft([held[step % 60]]), on: 3) }
            for sent in bench.links.takeSent() { counts[sent.link, default: 0] += 1 }
        }
        let shares = [7, 8].map { counts[LinkID($0), default: 0] }
        #expect(shares.allSatisfy { (320...370).contains($0) } && counts[LinkID(3)] == 350)
    }

    @Test("What neighbours want goes within one rate, small envelopes counted as 512 bytes, and to each in its turn")
    func servingRate() {
        var configuration = RouterConfiguration()
        configuration.servedRate = 51_200
        configuration.servedBurst = 51_200
        var bench = RouterBench(configuration)
        bench.connect(1, 2, 3)
        bench.hold(0..<600)
        let wanted = (0..<600).map { bench.id(RouterBench.envelope($0)) }
        for link in [1, 2, 3] as [UInt64] { _ = bench.receive(RouterBench.want(Array(wanted)), on: link) }
        #expect(bench.links.takeSent().count == 100)
        var counts: [LinkID: Int] = [:]
        for _ in 0..<600 {
            bench.pass(.milliseconds(10))
            for sent in bench.links.takeSent() { counts[sent.link, default: 0] += 1 }
        }
        #expect((590...600).contains(counts.values.reduce(0, +)))
        #expect(counts.values.allSatisfy { $0 >= 160 } && counts.count == 3)
        for _ in 0..<1_300 { bench.pass(.milliseconds(10)) }
        #expect(bench.router.servingDeadline == .distantFuture)
    }

    @Test("The number of envelopes waiting for one neighbour is bounded")
    func wantedLimit() {
        var configuration = RouterConfiguration()
        configuration.servedLimit = 2
        var bench = RouterBench(configuration)
        for envelope in envelopes { _ = bench.submit(envelope) }
        bench.links.room = 0
        bench.connect(1)
        _ = bench.receive(RouterBench.want(ids(bench, envelopes)), on: 1)
        bench.links.room = .max
        bench.router.writable(LinkID(1), now: bench.now, over: &bench.links)
        #expect(bench.links.takeSent().count { $0.message.first == 0x10 } == 2)
    }

    @Test("An envelope that a full lane refused is offered as soon as there is room")
    func refused() {
        var bench = RouterBench()
        bench.connect(1)
        #expect(bench.submit(envelopes[0]) == [])
        _ = bench.links.takeSent()
        bench.links.room = 0
        #expect(bench.submit(envelopes[1]) == [.dropped(.laneFull)])
        #expect(bench.submit(envelopes[2]) == [.dropped(.laneFull)])
        bench.links.room = .max
        bench.router.writable(LinkID(1), now: bench.now, over: &bench.links)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.offer(ids(bench, Array(envelopes[1...2])))])
    }
}
