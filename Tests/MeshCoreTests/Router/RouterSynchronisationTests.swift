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
                .init(message: RouterBench.offer(ids(bench, envelopes)), lane: .background, tag: 0, link: LinkID(1))
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
