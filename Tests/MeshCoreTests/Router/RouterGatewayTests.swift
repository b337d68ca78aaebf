import Testing

@testable import MeshCore

@Suite("The gateway of a node")
struct RouterGatewayTests {
    private static let kinds: [EnvelopeKind] = [6, 8, 9, 11]

    /// An envelope of a kind with a body that the kind allows.
    private static func envelope(_ kind: EnvelopeKind, _ number: UInt8, life: UInt16 = 60) -> Envelope {
        let byteCount = kind == 6 ? 16 : 100
        return Envelope(kind: kind, life: life, body: [UInt8](repeating: number, count: byteCount))
    }

    /// A router whose store has places for 64 small envelopes.
    private static func small() -> RouterBench {
        var configuration = RouterConfiguration()
        configuration.store.byteCount = 64 * 512
        configuration.store.envelopeCount = 64
        return RouterBench(configuration)
    }

    private static func far(_ effects: [RouterEffect]) -> [FarEnvelope] {
        effects.compactMap { if case .far(let envelope) = $0 { envelope } else { nil } }
    }

    @Test("It hears of the kinds that concern it, with their links, and first of what is stored")
    func reports() throws {
        var bench = RouterBench()
        bench.connect(1, 2)
        for kind in Self.kinds {
            #expect(Self.far(bench.receive(Self.envelope(kind, 1), on: 2)) == [])
            #expect(Self.far(bench.submit(Self.envelope(kind, 2))) == [])
        }
        _ = bench.receive(RouterBench.envelope(7, life: 60), on: 1)
        bench.now = bench.now.advanced(by: .seconds(20))
        let stored = Self.far(bench.attachGateway())
        let expected = Self.kinds.flatMap { kind in
            [(Self.envelope(kind, 1, life: 58), LinkID(0)), (Self.envelope(kind, 2, life: 58), nil)]
        }
        #expect(stored.count == expected.count)
        for (report, (envelope, link)) in zip(stored, expected) {
            // Mail that came fresh has the longest life of its kind.
            #expect(report.envelope.kind == envelope.kind && report.envelope.body == envelope.body)
            #expect(report.envelope.life == envelope.life || envelope.kind == 8 && report.envelope.life == 25_918)
            #expect(report.link == link && report.id == bench.id(envelope))
        }
        for kind in Self.kinds {
            let (foreign, own) = (Self.envelope(kind, 3), Self.envelope(kind, 4))
            #expect(Self.far(bench.receive(foreign, on: 2)).map(\.link) == [LinkID(2)])
            #expect(Self.far(bench.receive(foreign, on: 1)) == [])
            #expect(Self.far(bench.submit(own)).map(\.link) == [nil])
        }
        #expect(Self.far(bench.receive(RouterBench.envelope(8, life: 60), on: 1)) == [])
    }

    @Test("What it fetched is delivered, spreads to all neighbours, and does not come back to it")
    func injects() {
        var bench = RouterBench()
        bench.connect(1, 2)
        _ = bench.attachGateway()
        let mail = Self.envelope(8, 5)
        #expect(bench.inject(mail) == [.deliver(mail, id: bench.id(mail))])
        #expect(bench.links.takeSent().map(\.link) == [LinkID(1), LinkID(2)])
        #expect(bench.inject(mail) == [.dropped(.duplicate)])
        #expect(bench.links.takeSent().isEmpty)
        #expect(Self.far(bench.attachGateway()) == [])
    }

    @Test("What it fetched does not come back to it after a restart either")
    func restarted() {
        var bench = RouterBench()
        let (mail, other) = (Self.envelope(8, 5), Self.envelope(8, 6))
        _ = bench.inject(mail)
        let record = bench.router.store[bench.id(mail).shortID]?.record(now: bench.now)
        let logged = StoreRecord.held(mail, shortID: bench.id(mail).shortID, isOwn: false, isFar: true)
        #expect(record == logged)
        var later = RouterBench()
        var effects: [RouterEffect] = []
        let near = StoreRecord.held(other, shortID: bench.id(other).shortID, isOwn: false)
        later.router.restore([logged, near], now: later.now, into: &effects)
        #expect(Self.far(later.attachGateway()).map(\.envelope.body) == [other.body])
        #expect(later.router.store.far.count == 1)
    }

    @Test("Of the room for what it fetched chunks have half")
    func chunks() {
        var bench = Self.small()
        let results = (0..<20).map { bench.inject(Self.envelope(12, UInt8($0))) }
        #expect(results.count { $0 != [.dropped(.limited)] } == 8)
        #expect((20..<28).allSatisfy { bench.inject(Self.envelope(8, UInt8($0))).count == 1 })
        #expect(bench.router.store.far.count == 16)
        // Room comes with the end of lives.
        _ = bench.pass(.seconds(260_000))
        #expect(bench.router.store.farChunkCharge == 0)
    }

    @Test("It injects nothing but mail that nodes can use")
    func refuses() {
        var bench = RouterBench()
        bench.connect(1)
        for kind in [0, 1, 2, 3, 4, 6, 7, 9, 10, 11, 13] as [EnvelopeKind] {
            #expect(bench.inject(Self.envelope(kind, 6)) == [.dropped(.malformedMessage)])
        }
        #expect(bench.inject(Self.envelope(8, 6, life: 0)) == [.dropped(.malformedMessage)])
        #expect(bench.inject(Envelope(kind: 8, life: 60, body: [1, 2, 3])) == [.dropped(.malformedMessage)])
        #expect(bench.links.takeSent().isEmpty)
        // The mail of a neighbour does not go this way.
        #expect(bench.receive(Self.envelope(8, 6), on: 1).count == 1)
    }

    @Test("All that it fetched has a quarter of the store; more goes nowhere until there is room")
    func quarter() {
        var bench = Self.small()
        bench.connect(1)
        let results = (0..<40).map { bench.inject(Self.envelope(8, UInt8($0))) }
        #expect(results.count { $0.count == 1 && $0 != [.dropped(.limited)] } == 16)
        #expect(bench.links.takeSent().count == 16)
        #expect(results.suffix(24).allSatisfy { $0 == [.dropped(.limited)] })
        // The mail of neighbours has the rest.
        for number in 40..<88 { _ = bench.receive(Self.envelope(8, UInt8(number)), on: 1) }
        #expect(bench.router.store.count == 64)
        // Room comes with the end of lives.
        _ = bench.pass(.seconds(260_000))
        #expect(bench.inject(Self.envelope(8, 20)).count == 1)
        #expect(bench.links.takeSent().count == 1)
    }
}

extension RouterBench {
    fileprivate mutating func attachGateway() -> [RouterEffect] {
        var effects: [RouterEffect] = []
        router.attachGateway(now: now, into: &effects)
        return effects
    }

    fileprivate mutating func inject(_ envelope: Envelope) -> [RouterEffect] {
        var effects: [RouterEffect] = []
        router.inject(envelope, now: now, over: &links, into: &effects)
        return effects
    }
}
