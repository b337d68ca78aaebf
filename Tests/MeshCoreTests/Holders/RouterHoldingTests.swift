import Bytes
import MeshSimulation
import Testing

@testable import MeshCore

@Suite("Pieces that a router keeps apart")
struct RouterHoldingTests {
    /// A router with links on a crowded segment and on another.
    private static func bench(crowded: Bool = true) -> RouterBench {
        var bench = RouterBench()
        bench.router.setSegments([.one: crowded, .two: false], now: .zero)
        bench.connect(1...2, on: .one)
        bench.connect(5...6, on: .two)
        _ = bench.links.takeSent()
        return bench
    }

    private static func handOver(_ piece: Envelope, _ bench: inout RouterBench) -> [RouterEffect] {
        var effects: [RouterEffect] = []
        bench.router.submit(
            kind: piece.kind,
            body: piece.body,
            life: piece.life,
            handsOver: true,
            now: bench.now,
            over: &bench.links,
            into: &effects
        )
        return effects
    }

    private static func tags(_ effects: [RouterEffect]) -> [ObjectTag] {
        effects.compactMap { if case .handOver(let tag, _) = $0 { tag } else { nil } }
    }

    private static func receivers(_ bench: inout RouterBench) -> [UInt64] { bench.links.takeSent().map(\.link.value) }

    private static let piece = RouterBench.envelope(1, kind: .chunk)

    @Test("An own piece that few want stays off a crowded segment and is not offered; elsewhere it goes as ever")
    func own() throws {
        var bench = Self.bench()
        let tag = try #require(ObjectTag(of: Self.piece.body))
        let effects = Self.handOver(Self.piece, &bench)
        #expect(Self.tags(effects) == [tag])
        _ = bench.pass(.seconds(5))
        let receivers = Self.receivers(&bench)
        #expect(Set(receivers) == [5, 6])
        #expect(bench.router.summary.count == 0 && bench.router.store.pieces(of: tag).count == 1)
    }

    @Test("Where nobody crowds, and for a piece that many want, all goes as ever", arguments: [true, false])
    func spread(isForMany: Bool) {
        var bench = Self.bench(crowded: isForMany)
        let effects = isForMany ? bench.submit(Self.piece) : Self.handOver(Self.piece, &bench)
        #expect(Self.tags(effects).isEmpty)
        let receivers = Self.receivers(&bench)
        #expect(Set(receivers) == [1, 2, 5, 6])
        #expect(bench.router.summary.count == 1)
    }

    @Test("A piece from outside is handed over in the crowd, and one from the crowd goes on as ever")
    func relayed() {
        var bench = Self.bench()
        let outside = bench.receive(Self.piece, on: 5, lane: .background)
        #expect(Self.tags(outside).count == 1 && outside.contains(where: \.isDelivery))
        let receivers = Self.receivers(&bench)
        #expect(receivers == [6])
        let other = RouterBench.envelope(2, kind: .chunk)
        let inside = bench.receive(other, on: 1, lane: .background)
        #expect(Self.tags(inside).isEmpty)
        let others = Self.receivers(&bench)
        #expect(Set(others) == [2, 5, 6])
    }

    @Test("A piece that is kept for others is apart and counts so; one that was fetched is only delivered, and again")
    func taken() {
        var bench = Self.bench()
        let id = bench.id(Self.piece)
        for _ in 1...2 {
            var effects: [RouterEffect] = []
            bench.router.takePiece(Self.piece, id, keeps: false, now: bench.now, into: &effects)
            #expect(effects == [.deliver(Self.piece, id: id)] && bench.router.store[id.shortID] == nil)
        }
        var effects: [RouterEffect] = []
        bench.router.takePiece(Self.piece, id, keeps: true, now: bench.now, into: &effects)
        let store = bench.router.store
        #expect(effects.isEmpty && store[id.shortID]?.isApart == true && store.apart.charge == 512)
        #expect(store.apart.tags.count == 1)
        _ = bench.pass(.seconds(100_000))
        #expect(bench.router.store.apart.charge == 0 && bench.router.store.apart.tags.isEmpty)
    }

    @Test("A log brings a piece back apart, and a message that claims to be apart as any other")
    func restored() {
        var bench = Self.bench()
        let message = RouterBench.envelope(3)
        let records = [Self.piece, message].map {
            StoreRecord.held($0, shortID: bench.id($0).shortID, isOwn: false, isApart: true)
        }
        var effects: [RouterEffect] = []
        bench.router.restore(records, now: bench.now, into: &effects)
        let isApart = [Self.piece, message].map { bench.router.store[bench.id($0).shortID]?.isApart }
        #expect(isApart == [true, false])
        // This node hands its own over, and nothing of others.
        #expect(Self.tags(effects).isEmpty)
        var again = Self.bench()
        let own = StoreRecord.held(Self.piece, shortID: bench.id(Self.piece).shortID, isOwn: true, isApart: true)
        effects = []
        again.router.restore([own], now: again.now, into: &effects)
        #expect(Self.tags(effects).count == 1)
        let logged = bench.router.store.records(now: bench.now)
        let flags = logged.compactMap { if case .held(_, _, _, let isApart, _) = $0 { isApart } else { nil } }
        #expect(flags == [true, false])
    }

    @Test("Where nobody crowds any more, pieces that are apart are offered like others, until it is crowded again")
    func alone() {
        var bench = Self.bench()
        _ = Self.handOver(Self.piece, &bench)
        var counts = [bench.router.summary.count]
        for crowded in [false, true] {
            bench.router.setSegments([.one: crowded], now: bench.now)
            counts.append(bench.router.summary.count)
        }
        #expect(counts == [0, 1, 0])
        // In its last minute no envelope is offered.
        _ = bench.pass(.seconds(43_150))
        bench.router.setSegments([.one: false], now: bench.now)
        #expect(bench.router.summary.count == 0 && bench.router.store.count == 1)
    }

    @Test("When pieces of others take more than a quarter of the store, half of the places go, and own ones stay")
    func quarter() {
        var configuration = RouterConfiguration()
        configuration.store.byteCount = 32 * 1_024
        var bench = RouterBench(configuration)
        bench.router.setSegments([.one: true], now: bench.now)
        _ = Self.handOver(Self.piece, &bench)
        for number in 0..<400 {
            // Random places, in one run as in the next.
            var mixer = SplitMix64(seed: UInt64(number))
            let body = withUnsafeBytes(of: mixer.next()) { Array($0) } + [1]
            let piece = Envelope(kind: .chunk, life: 360, body: body)
            var effects: [RouterEffect] = []
            bench.router.takePiece(piece, bench.id(piece), keeps: true, now: bench.now, into: &effects)
            #expect(bench.router.store.apart.charge <= 8 * 1_024)
        }
        let store = bench.router.store
        #expect(store.apart.depth > 2 && store.shelf.depth == 0 && store.apart.charge > 1_024)
        #expect(store[bench.id(Self.piece).shortID] != nil)
        #expect(
            store.apart.tags.allSatisfy { store.apartShelf.covers($0.place) || $0 == ObjectTag(of: Self.piece.body) }
        )
    }

    @Test("Others' pieces that are kept fit a quarter of the store, however many one object has")
    func onePlentifulObject() {
        var configuration = RouterConfiguration()
        configuration.store.byteCount = 512 * 1_024
        var bench = RouterBench(configuration)
        bench.router.setSegments([.one: true], now: bench.now)
        for number in 0..<600 {
            let body = [UInt8](repeating: 7, count: 8) + [UInt8(number >> 8), UInt8(number & 255)]
            let piece = Envelope(kind: .chunk, life: 360, body: body)
            var effects: [RouterEffect] = []
            bench.router.takePiece(piece, bench.id(piece), keeps: true, now: bench.now, into: &effects)
        }
        #expect(bench.router.store.count == 256 && bench.router.store.apart.depth == 0)
    }

    @Test("At most 256 pieces of one object are found by its tag")
    func pieceLimit() throws {
        var pieces = ApartPieces()
        let tag = ObjectTag(1)
        for number in 0..<300 as Range<UInt64> where pieces.hasRoom(for: tag) { pieces.add(number, of: tag) }
        #expect(pieces.pieces(of: tag) == Array(0..<256) && pieces.hasRoom(for: ObjectTag(2)))
        for number in 0..<300 as Range<UInt64> { pieces.remove(number, of: tag) }
        #expect(pieces.tags.isEmpty && pieces.tags(startingWith: 0).isEmpty)
    }
}
