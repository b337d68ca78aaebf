import MeshCore
import MeshSimulation
import Testing

@Suite("Flooding")
struct RouterFloodingTests {
    @Test("An envelope seen first is delivered and goes to every other link")
    func flood() {
        var bench = RouterBench()
        bench.connect(1, 2, 3)
        let envelope = RouterBench.envelope(1)
        #expect(bench.receive(envelope, on: 2) == [.deliver(envelope, id: bench.id(envelope))])
        #expect(
            bench.links.takeSent() == [
                .init(message: envelope.encoded(), lane: .interactive, tag: 0, link: LinkID(1)),
                .init(message: envelope.encoded(), lane: .interactive, tag: 0, link: LinkID(3)),
            ]
        )
        #expect(bench.receive(envelope, on: 3) == [.dropped(.duplicate)])
        #expect(bench.links.takeSent() == [.init(message: [0x22], lane: .control, tag: 0, link: LinkID(3))])
    }

    @Test(
        "The lane follows from the kind and from how the envelope came",
        arguments: [
            (EnvelopeKind.sealed, Lane.interactive, Lane.interactive), (.sealed, .background, .background),
            (.release, .background, .control), (.chunk, .interactive, .background), (.live, .control, .interactive),
        ]
    )
    func lanes(kind: EnvelopeKind, arrived: Lane, expected: Lane) {
        var bench = RouterBench()
        bench.connect(1, 2)
        _ = bench.receive(
            RouterBench.envelope(1, kind: kind, byteCount: kind == .release ? 16 : 20),
            on: 1,
            lane: arrived
        )
        #expect(bench.links.takeSent().map(\.lane) == [expected])
    }

    @Test("An envelope without life is dropped and not remembered")
    func noLife() {
        var bench = RouterBench()
        bench.connect(1)
        #expect(bench.receive(RouterBench.envelope(1, life: 0), on: 1) == [.dropped(.expired)])
        #expect(bench.router.store.count == 0)
        #expect(bench.receive(RouterBench.envelope(1, life: 1), on: 1).count == 1)
        #expect(bench.router.store.count == 1)
    }

    @Test(
        "A forged life is cut to what the kind allows",
        arguments: [(EnvelopeKind.sealed, 25_920), (.release, 8_640), (.chunk, 4_320), (.live, 6), (.probe, 2)]
            as [(EnvelopeKind, UInt16)]
    )
    func forgedLife(kind: EnvelopeKind, longest: UInt16) {
        var bench = RouterBench()
        bench.connect(1, 2)
        _ = bench.receive(RouterBench.envelope(1, kind: kind, life: .max, byteCount: kind == .release ? 16 : 20), on: 1)
        #expect(bench.links.takeSent().map { Envelope(decoding: $0.message[...])?.life } == [longest])
    }

    @Test("Bodies that their kind does not allow are refused")
    func shapes() {
        var bench = RouterBench()
        bench.connect(1)
        let wrong = [
            RouterBench.envelope(1, kind: .sealed, byteCount: 16),
            RouterBench.envelope(1, kind: .release, byteCount: 17),
            RouterBench.envelope(1, kind: .probe, byteCount: 257),
        ]
        for envelope in wrong {
            #expect(bench.receive(envelope, on: 1) == [.dropped(.malformedMessage)])
            #expect(bench.submit(envelope) == [.dropped(.malformedMessage)])
        }
    }

    @Test("Live and probe envelopes are passed on once and never stored", arguments: [EnvelopeKind.live, .probe])
    func passing(kind: EnvelopeKind) {
        var bench = RouterBench()
        bench.connect(1, 2)
        let envelope = RouterBench.envelope(1, kind: kind)
        #expect(bench.receive(envelope, on: 1).count == 1)
        #expect(bench.receive(envelope, on: 2).last == .dropped(.duplicate))
        #expect(bench.router.store.count == 0)
        #expect(bench.links.takeSent().count { $0.message != [0x22] } == 1)
        bench.connect(3)
        #expect(bench.links.takeSent() == [])
    }

    @Test("The way of an own envelope is reported once, and again when it is submitted again")
    func reports() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let envelope = RouterBench.envelope(1)
        let id = bench.id(envelope)
        let tag = id.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        func reports(_ bench: inout RouterBench) -> [RouterEffect] {
            var effects: [RouterEffect] = []
            for link in [1, 2] as [UInt64] {
                bench.router.transmitted(tag, into: &effects)
                bench.router.acknowledged(tag, on: LinkID(link), into: &effects)
            }
            return effects
        }
        #expect(bench.submit(envelope) == [])
        #expect(bench.links.takeSent().map(\.tag) == [tag, tag])
        #expect(reports(&bench) == [.transmitted(id), .carried(id)])
        bench.connect(3)
        _ = bench.links.takeSent()
        #expect(bench.submit(envelope) == [])
        #expect(bench.links.takeSent().map(\.link) == [LinkID(3)])
        #expect(reports(&bench) == [.transmitted(id), .carried(id)])
    }

    @Test("An own envelope that a neighbour offers or sends is carried")
    func carriedElsewhere() {
        for viaOffer in [true, false] {
            var bench = RouterBench()
            let envelope = RouterBench.envelope(1)
            let id = bench.id(envelope)
            _ = bench.submit(envelope)
            bench.connect(1)
            let effects = bench.receive(viaOffer ? RouterBench.offer([id]) : envelope.encoded(), on: 1)
            #expect(effects.prefix(2) == [.transmitted(id), .carried(id)])
        }
    }

    @Test("A new neighbour is offered the own bundle and those of others at once, in the order of the ids")
    func bundleOffer() {
        var bench = RouterBench()
        bench.connect(1)
        let (own, other) = (RouterBench.envelope(1, kind: .bundle), RouterBench.envelope(2, kind: .bundle))
        _ = bench.submit(own)
        _ = bench.receive(other, on: 1)
        _ = bench.receive(RouterBench.envelope(3), on: 1)
        var effects: [RouterEffect] = []
        bench.router.acknowledged(bench.id(own).shortID, on: LinkID(1), into: &effects)
        _ = bench.links.takeSent()
        bench.connect(2)
        let sent = bench.links.takeSent()
        let page = [own, other].map { bench.id($0) }.sorted { $0.shortID < $1.shortID }
        #expect(sent.map(\.message) == [RouterBench.offer(page)])
        #expect(sent.map(\.lane) == [.interactive])
    }

    @Test("However many bundles came, a new neighbour is offered the own one and the newest, up to the limit")
    func bundleOfferBounds() {
        var bench = RouterBench()
        bench.connect(1)
        let limit = RouterConfiguration().firstOfferLimit
        let own = RouterBench.envelope(0, kind: .bundle)
        _ = bench.submit(own)
        for number in 1...3 * limit { _ = bench.receive(RouterBench.envelope(number, kind: .bundle), on: 1) }
        var effects: [RouterEffect] = []
        bench.router.acknowledged(bench.id(own).shortID, on: LinkID(1), into: &effects)
        _ = bench.links.takeSent()
        bench.connect(2)
        let newest = (2 * limit + 2...3 * limit).map { RouterBench.envelope($0, kind: .bundle) }
        let page = ([own] + newest).map { bench.id($0) }.sorted { $0.shortID < $1.shortID }
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.offer(page)])
    }

    @Test("An envelope with another's beginning does not keep the true one out")
    func forgedCopy() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let (forged, genuine) = (RouterBench.envelope(1, byteCount: 30), RouterBench.envelope(1, byteCount: 31))
        for envelope in [forged, genuine] {
            guard case .deliver(_, bench.id(envelope))? = bench.receive(envelope, on: 1).first else {
                Issue.record("not delivered")
                return
            }
        }
        #expect(bench.receive(forged, on: 1).first == .dropped(.duplicate))
    }

    @Test("Reports are kept for a bounded number of own envelopes")
    func submissionLimit() {
        var configuration = RouterConfiguration()
        configuration.submissionLimit = 2
        var bench = RouterBench(configuration)
        bench.connect(1)
        for number in 0..<3 { _ = bench.submit(RouterBench.envelope(number)) }
        let tags = bench.links.takeSent().map(\.tag)
        var effects: [RouterEffect] = []
        for tag in tags { bench.router.transmitted(tag, into: &effects) }
        #expect(effects == [1, 2].map { .transmitted(bench.id(RouterBench.envelope($0))) })
    }

    @Test("What neighbours acknowledged is forgotten together with the own envelope")
    func forgottenAcknowledgement() {
        var configuration = RouterConfiguration()
        configuration.submissionLimit = 2
        var bench = RouterBench(configuration)
        bench.connect(1)
        var effects: [RouterEffect] = []
        for number in 0..<3 {
            _ = bench.submit(RouterBench.envelope(number))
            for sent in bench.links.takeSent() { bench.router.acknowledged(sent.tag, on: sent.link, into: &effects) }
        }
        for number in [2, 0] { _ = bench.submit(RouterBench.envelope(number)) }
        let sent = bench.links.takeSent().map { Array($0.message.dropFirst(3)) }
        #expect(sent == [RouterBench.envelope(0).body])
    }

    @Test("Messages that are no envelope and nothing else known are dropped")
    func malformed() {
        var bench = RouterBench()
        bench.connect(1)
        let messages: [[UInt8]] = [
            [], [0x00], [0x01], [0x01, 0, 0], [0x01, 0, 1, 2], [0x02, 0, 1] + [UInt8](repeating: 0, count: 9),
            [0x01, 0x03, 0xE9] + [UInt8](repeating: 0, count: 8_008), [0x10, 0, 0, 1], [0x18, 0, 0, 1, 2], [0xFF],
        ]
        for message in messages {
            #expect(bench.receive(message, on: 1) == [.dropped(.malformedMessage)])
        }
    }

    @Test("A kind without a rule is dropped, whether it comes by a link, from a log or from this node")
    func unknownKind() {
        var bench = RouterBench(kinds: KindPolicy([0: .message]))
        bench.connect(1)
        let envelope = RouterBench.envelope(1, kind: 9)
        #expect(bench.receive(envelope, on: 1) == [.dropped(.malformedMessage)])
        #expect(bench.submit(envelope) == [.dropped(.malformedMessage)])
        var effects: [RouterEffect] = []
        let record = StoreRecord.held(envelope, shortID: bench.id(envelope).shortID, isOwn: true)
        bench.router.restore([record], now: bench.now, into: &effects)
        #expect(bench.router.store.count == 0 && effects == [])
    }

    @Test("A kind that only later versions know is kept and passed on, and goes first when a store is full")
    func laterKind() {
        var bench = RouterBench()
        bench.connect(1, 2)
        for number in 13...15 as ClosedRange<UInt8> {
            let envelope = RouterBench.envelope(Int(number), kind: EnvelopeKind(rawValue: number) ?? 15)
            #expect(bench.receive(envelope, on: 1).count == 1)
            #expect(bench.router.store[bench.id(envelope).shortID]?.rule == .later)
        }
        #expect(bench.links.takeSent().count == 3)
        #expect(StoreClass.later.rawValue == StoreClass.chunk.rawValue + 1)
    }

    @Test("A message of a mailbox is released by the hash behind its tag")
    func farMessage() {
        var bench = RouterBench()
        bench.connect(1, 2)
        let proof = [UInt8](repeating: 9, count: 16)
        let body = [UInt8](repeating: 1, count: 16) + ToyCryptography().proofHash(deliveryProof: proof) + [1, 2]
        let envelope = Envelope(kind: 8, life: 100, body: body)
        #expect(bench.receive(envelope, on: 1).count == 1)
        _ = bench.receive(Envelope(kind: .release, life: 100, body: proof), on: 2)
        #expect(bench.router.store[bench.id(envelope).shortID] == nil)
        let short = Envelope(kind: 8, life: 100, body: Array(body.prefix(32)))
        #expect(bench.receive(short, on: 1) == [.dropped(.malformedMessage)])
    }

    @Test("Twenty thousand damaged messages never stop the router", arguments: [1, 2] as [UInt64])
    func garbage(seed: UInt64) {
        var bench = RouterBench()
        bench.connect(1, 2)
        var random = SplitMix64(seed: seed)
        let originals = KindPolicy.simulated.kinds.map { RouterBench.envelope(1, kind: $0).encoded() }
        let ids = (0..<20).map { bench.id(RouterBench.envelope($0)) }
        let tree = [RouterBench.announce(ids), RouterBench.graft(ids), [0x22]]
        let templates = originals + [RouterBench.offer(ids), RouterBench.want(ids)] + tree
        for step in 0..<20_000 {
            var message = templates[Int.random(in: 0..<templates.count, using: &random)]
            for _ in 0..<Int.random(in: 0...4, using: &random) where !message.isEmpty {
                let place = Int.random(in: 0..<message.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: message[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: message.removeLast(message.count - place)
                default: message.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                }
            }
            _ = bench.receive(message, on: UInt64.random(in: 1...3, using: &random), lane: .background)
            if step % 100 == 0 { bench.pass(.seconds(7)) }
        }
        let intact = RouterBench.envelope(1 << 40)
        #expect(bench.receive(intact, on: 1).first == .deliver(intact, id: bench.id(intact)))
    }
}
