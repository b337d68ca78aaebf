import MeshSimulation
import Testing

@testable import MeshCore

@Suite("A router that pushes posts")
struct RouterPushTests {
    /// A router with four links on a crowded segment, and two on one with few nodes.
    private static func bench(crowded: [InterfaceID: Bool] = [.one: true, .two: false]) -> RouterBench {
        var bench = RouterBench()
        bench.router.setSegments(crowded, now: .zero)
        for segment in crowded.keys { bench.router.noteMulticast(on: segment, now: bench.now) }
        bench.connect(1...4, on: .one)
        bench.connect(5...6, on: .two)
        _ = bench.links.takeSent()
        return bench
    }

    private static func pushes(_ effects: [RouterEffect]) -> [InterfaceID] {
        effects.compactMap { if case .push(_, let segment) = $0 { segment } else { nil } }
    }

    private static func receivers(_ bench: inout RouterBench) -> [UInt64] {
        bench.links.takeSent().filter { $0.message.first.map { $0 >> 4 } == Envelope.version }.map(\.link.value)
    }

    @Test("An author pushes a post twice, and sends it to one neighbour there and to all of other segments")
    func author() {
        var bench = Self.bench()
        let post = RouterBench.envelope(1)
        let effects = bench.submit(post)
        #expect(effects.contains(.push(post.encoded(), on: .one)))
        #expect(Self.pushes(effects) == [.one])
        #expect(effects.contains(.transmitted(bench.id(post))))
        let outcome17 = Self.receivers(&bench)
        #expect(outcome17 == [1, 5, 6])
        let outcome1 = bench.pass(.milliseconds(30))
        #expect(Self.pushes(outcome1) == [.one])
        let outcome2 = bench.pass(.seconds(1))
        #expect(Self.pushes(outcome2) == [])
        // The neighbour's acknowledgement shows that the post is on its way.
        var carried: [RouterEffect] = []
        bench.router.acknowledged(bench.id(post).shortID, on: LinkID(1), into: &carried)
        #expect(carried == [.carried(bench.id(post))])
    }

    @Test("A post that was heard is delivered, stays on its segment, and goes on to others")
    func heard() {
        var bench = Self.bench()
        let post = RouterBench.envelope(1)
        let effects = bench.hearPush(post, on: .one)
        #expect(effects == [.deliver(post, id: bench.id(post))])
        let outcome18 = Self.receivers(&bench)
        #expect(outcome18 == [5, 6])
        let outcome3 = bench.pass(.milliseconds(100))
        #expect(Self.pushes(outcome3) == [])
        #expect(bench.trails.map(\.hop) == [.pusher(RouterBench.pusher)])
        let outcome4 = bench.hearPush(post, on: .one)
        #expect(outcome4 == [.dropped(.duplicate)])
        let outcome19 = Self.receivers(&bench)
        #expect(outcome19 == [])
    }

    @Test("A node with its only link on another segment passes on what it heard")
    func bridge() {
        var bench = RouterBench()
        bench.router.setSegments([.one: true, .two: false], now: .zero)
        bench.connect(5...5, on: .two)
        _ = bench.hearPush(RouterBench.envelope(1), on: .one)
        let outcome20 = Self.receivers(&bench)
        #expect(outcome20 == [5])
    }

    @Test("A node pushes what a link brought within 40 ms, unless it hears it before", arguments: [true, false])
    func relayed(isHeard: Bool) {
        var bench = Self.bench()
        let post = RouterBench.envelope(1)
        let effects = bench.receive(post, on: 5)
        #expect(effects.contains(.deliver(post, id: bench.id(post))))
        let outcome21 = Self.receivers(&bench)
        #expect(outcome21 == [6])
        if isHeard { _ = bench.hearPush(post, on: .one) }
        var pushed: [InterfaceID] = []
        for _ in 0..<80 { pushed += Self.pushes(bench.pass(.milliseconds(1))) }
        #expect(pushed == (isHeard ? [] : [.one, .one]))
    }

    @Test(
        "With private delivery two neighbours of a segment get a post, and its author pushes it only if they do not",
        arguments: [true, false]
    )
    func hidden(isHeard: Bool) {
        var bench = Self.bench(crowded: [.one: true, .two: true])
        bench.connect(7...8, on: .two)
        _ = bench.links.takeSent()
        bench.router.pushesThroughNeighbors = true
        let post = RouterBench.envelope(1)
        let effects = bench.submit(post)
        #expect(Self.pushes(effects) == [])
        let receivers = Self.receivers(&bench)
        #expect(receivers == [1, 2, 5, 6])
        let outcome = bench.pass(.milliseconds(249))
        #expect(Self.pushes(outcome) == [])
        if isHeard { for segment in [.one, .two] as [InterfaceID] { _ = bench.hearPush(post, on: segment) } }
        let pushed = Self.pushes(bench.pass(.milliseconds(1))) + Self.pushes(bench.pass(.milliseconds(30)))
        #expect(pushed.sorted() == (isHeard ? [] : [.one, .one, .two, .two]))
    }

    @Test("A copy from a neighbour who heard the post too changes no tree")
    func copy() {
        var bench = Self.bench()
        let post = RouterBench.envelope(1)
        _ = bench.hearPush(post, on: .one)
        _ = bench.links.takeSent()
        _ = bench.receive(post, on: 2)
        let sent = bench.links.takeSent()
        #expect(sent.isEmpty)
        #expect(bench.router.links.filter(\.isEager).count == 6)
        _ = bench.receive(post, on: 5)
        let pruned = bench.links.takeSent()
        #expect(pruned.map(\.link.value) == [5])
    }

    @Test(
        "A heard post is announced to one neighbour after a second, and a copy that was asked for goes on elsewhere only"
    )
    func repair() {
        var bench = Self.bench()
        let (heard, missed) = (RouterBench.envelope(1), RouterBench.envelope(2))
        _ = bench.hearPush(heard, on: .one)
        _ = bench.links.takeSent()
        _ = bench.pass(.milliseconds(999))
        let early = bench.links.takeSent()
        #expect(early.isEmpty)
        _ = bench.pass(.milliseconds(1))
        let late = bench.links.takeSent()
        #expect(late.map(\.message) == [RouterBench.announce([bench.id(heard)])])
        #expect(late.allSatisfy { (1...4).contains($0.link.value) })
        _ = bench.receive(RouterBench.announce([bench.id(missed)]), on: 3)
        _ = bench.pass(.milliseconds(100))
        let asked = bench.links.takeSent()
        #expect(asked.map(\.message) == [RouterBench.graft([bench.id(missed)])])
        _ = bench.receive(missed, on: 3)
        let sent = Self.receivers(&bench)
        let pushed = Self.pushes(bench.pass(.milliseconds(50)))
        #expect(sent == [5, 6] && pushed == [])
    }

    @Test("A copy with a short life keeps nobody from pushing a longer one, and a push makes an old copy fresh")
    func life() {
        var bench = Self.bench()
        let release = { (life: UInt16) in Envelope(kind: .release, life: life, body: [UInt8](repeating: 3, count: 16)) }
        _ = bench.receive(release(8_000), on: 5)
        _ = bench.hearPush(release(1), on: .one)
        let pushed = Self.pushes(bench.pass(.milliseconds(40)))
        #expect(pushed == [.one])
        let old = RouterBench.envelope(7, life: 10)
        _ = bench.receive(old, on: 5, lane: .background)
        let isOld = bench.router.store[bench.id(old).shortID]?.isOld
        _ = bench.hearPush(old, on: .one)
        #expect(isOld == true && bench.router.store[bench.id(old).shortID]?.isOld == false)
    }

    @Test("An own post that is sent again is pushed again, and with fewer than four links nothing is")
    func again() {
        var bench = Self.bench()
        _ = bench.submit(RouterBench.envelope(1))
        _ = bench.pass(.seconds(1))
        let again = Self.pushes(bench.submit(RouterBench.envelope(1)))
        #expect(again == [.one])
        bench.router.linkDown(LinkID(4), now: bench.now, over: &bench.links)
        let few = Self.pushes(bench.submit(RouterBench.envelope(2)))
        #expect(few == [])
    }

    @Test("Where few are, posts go by the links")
    func unpushed() {
        var bench = Self.bench(crowded: [.one: false, .two: false])
        let outcome5 = bench.submit(RouterBench.envelope(1))
        #expect(Self.pushes(outcome5) == [])
        let outcome22 = Self.receivers(&bench)
        #expect(outcome22 == [1, 2, 3, 4, 5, 6])
    }

    @Test("Pieces of objects, old envelopes, first messages and pieces larger than a datagram are not pushed")
    func others() {
        var bench = Self.bench()
        let outcome6 = bench.submit(RouterBench.envelope(1, kind: .chunk))
        #expect(Self.pushes(outcome6) == [])
        let outcome7 = bench.submit(RouterBench.envelope(2, kind: .prekey))
        #expect(Self.pushes(outcome7) == [])
        let outcome8 = bench.submit(RouterBench.envelope(3, byteCount: 1_300))
        #expect(Self.pushes(outcome8) == [])
        let outcome9 = bench.receive(RouterBench.envelope(4), on: 5, lane: .background)
        #expect(Self.pushes(outcome9) == [])
        let outcome10 = bench.pass(.milliseconds(100))
        #expect(Self.pushes(outcome10) == [])
    }

    @Test("A heard datagram that is no post, or one too many, changes nothing")
    func junk() {
        var bench = Self.bench()
        let outcome11 = bench.hearPush(RouterBench.envelope(1, kind: .chunk), on: .one)
        #expect(outcome11 == [.dropped(.malformedMessage)])
        let outcome12 = bench.hearPush(RouterBench.envelope(2, kind: .prekey), on: .one)
        #expect(outcome12 == [.dropped(.malformedMessage)])
        let outcome13 = bench.hearPush(RouterBench.envelope(3, life: 0), on: .one)
        #expect(outcome13 == [.dropped(.expired)])
        let outcome14 = bench.hearPush(RouterBench.envelope(4), on: .three)
        #expect(outcome14 == [.dropped(.limited)])
        var count = 0
        for number in 10..<2_000 {
            let effects = bench.hearPush(RouterBench.envelope(number), on: .one)
            count += effects.count(where: \.isDelivery)
        }
        #expect(count == 397)
        // The own posts go by the links then.
        _ = bench.links.takeSent()
        let outcome15 = bench.submit(RouterBench.envelope(1_000))
        #expect(Self.pushes(outcome15) == [])
        let outcome23 = Self.receivers(&bench)
        #expect(outcome23.count == 6)
    }

    @Test("The copy for one neighbour goes on a lazy link too")
    func lazyWitness() {
        var bench = Self.bench()
        for link in 1...4 as ClosedRange<UInt64> { _ = bench.receive(TreeMessage.prune.encoded(), on: link) }
        _ = bench.submit(RouterBench.envelope(1))
        let receivers = Self.receivers(&bench)
        #expect(receivers == [1, 5, 6])
    }

    @Test("A node is busy once 1,800 pushes were heard or sent in a minute, until they are over")
    func busy() {
        var bench = Self.bench()
        for number in 0..<1_799 {
            if number % 100 == 99 { _ = bench.pass(.milliseconds(500)) }
            _ = bench.hearPush(RouterBench.envelope(number % 10), on: .one)
        }
        #expect(!bench.router.isBusy(now: bench.now))
        _ = bench.hearPush(RouterBench.envelope(0), on: .one)
        #expect(bench.router.isBusy(now: bench.now))
        #expect(!bench.router.isBusy(now: bench.now.advanced(by: .seconds(70))))
    }

    @Test("A released post that is pushed again does not come back")
    func released() {
        var bench = Self.bench()
        let proof = [UInt8](repeating: 3, count: 16)
        let hash = bench.cryptography.proofHash(deliveryProof: proof)
        let post = Envelope(kind: .sealed, life: 360, body: hash + [1, 2])
        _ = bench.hearPush(post, on: .one)
        _ = bench.hearPush(Envelope(kind: .release, life: 360, body: proof), on: .one)
        #expect(bench.router.store[bench.id(post).shortID] == nil)
        let outcome16 = bench.hearPush(post, on: .one)
        #expect(outcome16.filter(\.isDelivery).isEmpty)
        #expect(bench.router.store[bench.id(post).shortID] == nil)
    }
}
