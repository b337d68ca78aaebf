import MeshSimulation
import Testing

@testable import MeshCore

@Suite("Absence of a node")
struct AbsenceTests {
    private static let summary = StoreSummary(shelf: Shelf(of: 0x5000, depth: 4), sums: .zero, count: 40)

    /// A node whose own shelf begins with `1111`, and that has just started.
    private static func bench() -> RouterBench {
        var bench = RouterBench()
        bench.router.store.setShelf(place: 0xF000, depth: 4)
        return bench
    }

    /// Lets time pass until the node has read; returns the hours of which it asked for all.
    private static func hours(_ bench: inout RouterBench) -> [UInt8] {
        for _ in 0..<30 { _ = bench.pass(.milliseconds(100)) }
        return bench.links.takeSent().compactMap { sent in
            guard
                case .ask(let salt, SyncMessage.Ending.failed, let range, let hours) = SyncMessage(
                    decoding: sent.message
                )
            else { return nil }
            let end = SyncMessage.ask(salt: salt, place: SyncMessage.Ending.found, range: range)
            _ = bench.receive(end.encoded(), on: sent.link.value)
            return hours
        }
    }

    @Test("Where no store is full nothing is read, and no time is planned")
    func calm() {
        var bench = RouterBench()
        bench.connect(1, dialledHere: true)
        bench.hear(StoreSummary(digest: 0, count: 0), on: 1)
        #expect(bench.router.nextDeadline == .distantFuture)
        #expect(bench.pass(.seconds(5)) == [] && Self.hours(&bench) == [])
    }

    @Test("A relay reads nothing, for nobody uses it")
    func relay() {
        var bench = RouterBench(MeshConfiguration.relay(kinds: .simulated).router)
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        #expect(bench.pass(.seconds(5)) == [] && Self.hours(&bench) == [])
    }

    @Test("Reading begins anew after a minute without a full neighbour, and not after less", arguments: [59, 61])
    func absence(seconds: Int) {
        var bench = Self.bench()
        bench.connect(1, 3)
        bench.hear(Self.summary, on: 1)
        #expect(Self.hours(&bench) == [0])
        _ = bench.pass(.seconds(601))
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        bench.now = bench.now.advanced(by: .seconds(seconds))
        bench.connect(2)
        bench.hear(Self.summary, on: 2)
        #expect(Self.hours(&bench) == (seconds < 60 ? [] : [1]))
    }

    @Test(
        "A node asks for what came in a class of hours that is longer than its absence",
        arguments: [(3_600, 2), (10_000, 4), (100_000, 32), (250_000, 72), (260_000, 0)]
    )
    func hours(seconds: Int, hours: UInt8) {
        var bench = Self.bench()
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        _ = Self.hours(&bench)
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        bench.now = bench.now.advanced(by: .seconds(seconds))
        bench.connect(2)
        bench.hear(Self.summary, on: 2)
        #expect(Self.hours(&bench) == [hours])
    }

    @Test(
        "After a restart the time counts for which the node did not run, eight hours before, and that since",
        arguments: [(5, 0, 16), (90_000, 0, 72), (5, 144_000, 72)]
    )
    func restart(seconds: Int, ran: Int, hours: UInt8) {
        var bench = Self.bench()
        var effects: [RouterEffect] = []
        bench.router.restore([.rested(.seconds(seconds))], now: bench.now, into: &effects)
        bench.now = bench.now.advanced(by: .seconds(ran))
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        #expect(Self.hours(&bench) == [hours])
    }

    @Test(
        "A neighbour of long whose store becomes full is no reason to read, and a young one is",
        arguments: [599, 601]
    )
    func filling(seconds: Int) {
        var bench = Self.bench()
        bench.connect(1)
        bench.hear(StoreSummary(digest: 1, count: 1), on: 1)
        _ = bench.pass(.seconds(seconds))
        bench.hear(Self.summary, on: 1)
        #expect(Self.hours(&bench) == (seconds < 600 ? [0] : []))
        bench.connect(2)
        bench.hear(Self.summary, on: 2)
        #expect(Self.hours(&bench) == (seconds < 600 ? [0] : []))
    }

    @Test("A machine that slept has been away, though its links end only when it wakes", arguments: [true, false])
    func sleep(endsFirst: Bool) {
        var bench = Self.bench()
        bench.connect(1)
        bench.hear(Self.summary, on: 1)
        _ = Self.hours(&bench)
        let asleep = bench.now
        bench.now = bench.now.advanced(by: .seconds(7_200))
        // The order in which the node learns of both is not sure.
        if !endsFirst { bench.router.wake(asleepSince: asleep) }
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        if endsFirst { bench.router.wake(asleepSince: asleep) }
        bench.connect(2)
        bench.hear(Self.summary, on: 2)
        #expect(Self.hours(&bench) == [4])
    }
}
