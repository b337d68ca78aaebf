import MeshSimulation
import Testing

@testable import MeshCore

@Suite("Pushed probes")
struct ProbePushTests {
    /// A router with four links on a crowded segment, and two on one with few nodes.
    private static func bench() -> RouterBench {
        var bench = RouterBench()
        bench.router.setSegments([.one: true, .two: false], now: .zero)
        for segment in [.one, .two] as [InterfaceID] { bench.router.noteMulticast(on: segment, now: bench.now) }
        bench.connect(1...4, on: .one)
        bench.connect(5...6, on: .two)
        _ = bench.links.takeSent()
        return bench
    }

    private static func probe(_ number: Int) -> Envelope { RouterBench.envelope(number, kind: .probe) }

    private static func pushes(_ effects: [RouterEffect]) -> [InterfaceID] {
        effects.compactMap { if case .push(_, let segment) = $0 { segment } else { nil } }
    }

    private static func receivers(_ bench: inout RouterBench) -> [UInt64] {
        bench.links.takeSent().filter { $0.message.first.map { $0 >> 4 } == Envelope.version }.map(\.link.value)
    }

    @Test("An author pushes a probe twice on a crowded segment, and sends it on the links elsewhere alone")
    func author() {
        var bench = Self.bench()
        let effects = bench.submit(Self.probe(1))
        #expect(Self.pushes(effects) == [.one])
        let receivers = Self.receivers(&bench)
        #expect(receivers == [5, 6])
        let again = bench.pass(.milliseconds(30))
        #expect(Self.pushes(again) == [.one])
        // Nobody keeps a probe, so nobody is told of it.
        _ = bench.pass(.seconds(5))
        let later = bench.links.takeSent()
        #expect(later.isEmpty)
    }

    @Test("With private delivery two neighbours of the segment get it, and push it in its author's place")
    func hidden() {
        var bench = Self.bench()
        bench.router.pushesThroughNeighbors = true
        let effects = bench.submit(Self.probe(1))
        #expect(Self.pushes(effects) == [])
        let receivers = Self.receivers(&bench)
        #expect(receivers == [1, 2, 5, 6])
    }

    @Test("A probe that was heard is delivered once, leads back to who pushed it, and goes on elsewhere")
    func heard() {
        var bench = Self.bench()
        let probe = Self.probe(1)
        let effects = bench.hearPush(probe, on: .one)
        #expect(effects.count == 1 && effects.allSatisfy(\.isDelivery))
        #expect(bench.trails.map(\.hop) == [.pusher(RouterBench.pusher)] && bench.trails.allSatisfy(\.isProbe))
        let receivers = Self.receivers(&bench)
        #expect(receivers == [5, 6])
        let again = bench.hearPush(probe, on: .one)
        #expect(again == [.dropped(.duplicate)])
        let copy = bench.receive(probe, on: 1)
        #expect(copy == [.dropped(.duplicate)])
        let later = bench.pass(.seconds(1))
        #expect(Self.pushes(later) == [])
    }

    @Test("A probe that a link brought is pushed, unless it is heard before", arguments: [true, false])
    func relayed(isHeard: Bool) {
        var bench = Self.bench()
        let probe = Self.probe(1)
        _ = bench.receive(probe, on: 5)
        let receivers = Self.receivers(&bench)
        #expect(receivers == [6])
        if isHeard { _ = bench.hearPush(probe, on: .one) }
        var pushed: [InterfaceID] = []
        for _ in 0..<80 { pushed += Self.pushes(bench.pass(.milliseconds(1))) }
        #expect(pushed == (isHeard ? [] : [.one, .one]))
    }

    @Test(
        "When more probes are pushed than may pass, they go on the links for five seconds, and links keep their share"
    )
    func flood() {
        var bench = Self.bench()
        var passed = 0
        for number in 100..<200 { passed += bench.hearPush(Self.probe(number), on: .one).count(where: \.isDelivery) }
        #expect((1...20).contains(passed))
        let other = bench.receive(Self.probe(1), on: 2)
        let waiting = other.contains(where: \.isDelivery) ? [] : bench.pass(.seconds(1))
        #expect((other + waiting).contains { $0.isDelivery })
        _ = bench.pass(.seconds(1))
        _ = bench.links.takeSent()
        let own = bench.submit(Self.probe(2))
        #expect(Self.pushes(own) == [])
        let receivers = Self.receivers(&bench)
        #expect(Set(receivers).isSuperset(of: [5, 6]) && receivers.count > 2)
        _ = bench.pass(.seconds(5))
        bench.router.noteMulticast(on: .one, now: bench.now)
        let later = bench.submit(Self.probe(3))
        #expect(Self.pushes(later) == [.one])
    }
}
