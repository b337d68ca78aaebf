import MeshSimulation
import Testing

@testable import MeshCore

@Suite("The log of a store")
struct StoreLogTests {
    private let records: [StoreRecord] = [
        held(1), held(2, isOwn: true), held(3, kind: .release), held(4),
        .shelf(place: 7, depth: 1), .renewed(shortID: 4, life: 200, isOwn: true), .shelf(place: 0x1234, depth: 3),
    ]

    /// The records that remain of `records` at the age at which they were written.
    private let kept: [StoreRecord] = [
        .shelf(place: 0x1234, depth: 3), held(1), held(2, isOwn: true), held(3, kind: .release),
        held(4, life: 200, isOwn: true),
    ]

    private static func held(
        _ number: Int,
        kind: EnvelopeKind = .sealed,
        life: UInt16 = 100,
        isOwn: Bool = false
    ) -> StoreRecord {
        let envelope = RouterBench.envelope(number, kind: kind, life: life, byteCount: 16 + number)
        return .held(envelope, shortID: UInt64(number), isOwn: isOwn)
    }

    private func log(_ records: [StoreRecord], age: UInt32 = 30, wall: UInt64 = 1_000) -> [[UInt8]] {
        [StoreLogFormat.beginning, StoreLogFormat.time(age: age, wall: wall)]
            + records.map { StoreLogFormat.entry($0, age: age) }
    }

    private func read(_ bytes: some Sequence<UInt8>, chunk: Int = .max) -> StoreLogReader {
        var reader = StoreLogReader()
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            reader.append(rest.prefix(chunk))
            rest = rest.dropFirst(chunk)
        }
        reader.finish()
        return reader
    }

    @Test("The check is the one that everybody calls CRC-32")
    func check() {
        var check = CRC32()
        check.add("123456789".utf8)
        #expect(check.value == 0xCBF4_3926)
    }

    @Test("A log comes to what still counts of it, in the order of arrival", arguments: [1, 7, 64, .max])
    func contents(chunk: Int) {
        let bytes = log(records).joined()
        let reader = read(bytes, chunk: chunk)
        #expect(reader.version == 1)
        #expect(reader.contents(wall: 1_000).records == kept)
        #expect([reader.entryCount, reader.damageCount, reader.soundByteCount] == [9, 0, bytes.count])
    }

    @Test("Whether an envelope is the node's own, apart or from afar outlives the log")
    func flags() {
        let envelope = RouterBench.envelope(1, kind: .sealed, life: 100, byteCount: 40)
        let records = (0..<8 as Range<UInt64>).map { (number: UInt64) -> StoreRecord in
            let flags = [1, 2, 4].map { number & $0 != 0 }
            return .held(envelope, shortID: number, isOwn: flags[0], isApart: flags[1], isFar: flags[2])
        }
        #expect(read(log(records).joined()).contents(wall: 1_000).records == records)
    }

    @Test("Time that the node was off is taken from every life; a clock set back takes nothing")
    func timeOff() {
        let reader = read(log([Self.held(1), Self.held(2, life: 10)]).joined())
        func lives(_ wall: UInt64) -> [UInt16] {
            reader.contents(wall: wall).records.compactMap { record in
                switch record {
                case .rested: nil
                case .held(let envelope, _, _, _, _): envelope.life
                case .renewed(_, let life, _): life
                case .shelf: 0
                }
            }
        }
        #expect([0, 999, 1_000].map(lives) == [[100, 10], [100, 10], [100, 10]])
        #expect(
            [1_009, 1_010, 1_095, 1_100, 1_999, 2_000].map(lives) == [[100, 10], [99, 9], [91, 1], [90], [1], []]
        )
        #expect(lives(.max) == [])
        #expect(reader.contents(wall: 1_000).records.count == 2)
        #expect(reader.contents(wall: 1_009).records.first == .rested(.seconds(9)))
        #expect(reader.contents(wall: .max).records == [.rested(.seconds(UInt32.max))])
        #expect(reader.contents(wall: 1_500).age == 530)
    }

    @Test("A log that ends at any byte loses no more than the entry it ends in")
    func torn() {
        let entries = log(records)
        let bytes = Array(entries.joined())
        let ends = entries.indices.map { entries[...$0].reduce(0) { $0 + $1.count } }
        for length in 0...bytes.count {
            let reader = read(bytes.prefix(length))
            let whole = ends.count { $0 <= length }
            let expected = read(entries.prefix(whole).joined())
            #expect(reader.entryCount == whole)
            #expect(reader.soundByteCount == (whole == 0 ? 0 : ends[whole - 1]))
            #expect(reader.damageCount == 0)
            #expect(reader.contents(wall: 1_000).records == expected.contents(wall: 1_000).records)
        }
    }

    @Test("A bit that turned costs the entry it is in and no other")
    func flipped() {
        let entries = log(records)
        var place = 0
        for (index, entry) in entries.enumerated() {
            var others = entries
            others.remove(at: index)
            let expected = read(others.joined())
            for bit in 0..<(8 * entry.count) {
                var bytes = Array(entries.joined())
                bytes[place + bit / 8] ^= 1 << (bit % 8)
                let reader = read(bytes, chunk: 100)
                #expect(reader.entryCount == entries.count - 1)
                #expect(reader.contents(wall: 1_000).records == expected.contents(wall: 1_000).records)
                #expect(reader.damageCount == (index == entries.count - 1 ? 0 : 1))
            }
            place += entry.count
        }
    }

    @Test("Any bytes can be a log, and reading them ends", arguments: 1...30 as ClosedRange<UInt64>)
    func nonsense(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let entries = log(records)
        var bytes: [UInt8] = []
        for _ in 0..<30 {
            switch UInt8.random(in: 0...2, using: &random) {
            case 0: bytes += entries[Int.random(in: 0..<entries.count, using: &random)]
            case 1: bytes += (0..<20).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            default: bytes += StoreLogFormat.magic + [0, 40]
            }
        }
        let reader = read(bytes, chunk: Int.random(in: 1...200, using: &random))
        #expect(reader.soundByteCount <= bytes.count)
        #expect(reader.contents(wall: 1_000).records.count <= reader.entryCount)
    }

    @Test("A log of nothing but beginnings is given up after a few times its length")
    func wasteful() {
        // An entry of 16,128 bytes with a wrong check begins at every fourth byte.
        let bytes = (0..<10_000).flatMap { _ -> [UInt8] in StoreLogFormat.magic + [0x3F, 0] }
        #expect(read(bytes + StoreLogFormat.beginning + bytes, chunk: 30_000).entryCount == 0)
        #expect(read(bytes.prefix(100) + StoreLogFormat.beginning + bytes, chunk: 30_000).entryCount == 1)
    }
}

@Suite("What a store tells its log")
struct StoreChangeTests {
    private func bench() -> RouterBench {
        var configuration = RouterConfiguration()
        configuration.reportsStoreChanges = true
        configuration.store.envelopeCount = 4
        var bench = RouterBench(configuration)
        bench.connect(1)
        return bench
    }

    private func stored(_ number: Int, life: UInt16 = 100) -> Envelope {
        RouterBench.envelope(number, life: life)
    }

    @Test("Every change is told once, with what is left of lives")
    func changes() {
        var bench = bench()
        let ids = (0..<6).map { bench.id(RouterBench.envelope($0)).shortID }
        for number in 0..<2 { _ = bench.receive(stored(number), on: 1, lane: .background) }
        #expect(
            bench.router.takeStoreChanges() == [
                .held(stored(0), shortID: ids[0], isOwn: false), .held(stored(1), shortID: ids[1], isOwn: false),
            ]
        )
        bench.pass(.seconds(100))
        _ = bench.receive(stored(0, life: 150), on: 1, lane: .background)
        _ = bench.submit(RouterBench.envelope(1, life: 10))
        #expect(
            bench.router.takeStoreChanges() == [
                .renewed(shortID: ids[0], life: 150, isOwn: false), .renewed(shortID: ids[1], life: 90, isOwn: true),
            ]
        )
        for number in 2..<5 { _ = bench.receive(stored(number, life: 100 + UInt16(number)), on: 1, lane: .background) }
        #expect(
            bench.router.takeStoreChanges() == [
                .held(stored(2, life: 102), shortID: ids[2], isOwn: false),
                .held(stored(3, life: 103), shortID: ids[3], isOwn: false),
                .held(stored(4, life: 104), shortID: ids[4], isOwn: false),
            ]
        )
        bench.pass(.seconds(5_000))
        #expect(bench.router.store.count == 0)
        #expect(bench.router.takeStoreChanges() == [])
    }

    @Test("Announcements with names in them are not told")
    func announcements() {
        var bench = bench()
        _ = bench.receive(RouterBench.envelope(1, kind: .bundle), on: 1)
        _ = bench.receive(RouterBench.envelope(2, kind: .room), on: 1)
        #expect(bench.router.store.count == 2)
        #expect(bench.router.takeStoreChanges() == [])
        #expect(bench.router.store.records(now: bench.now).count == 1)
    }

    @Test("What a log held is taken up, delivered once more, offered, and not told again")
    func restoring() {
        var before = bench()
        _ = before.submit(RouterBench.envelope(0))
        for number in 1..<5 { _ = before.receive(RouterBench.envelope(number), on: 1) }
        let deliveryProof = Envelope(kind: .release, life: 90, body: [UInt8](repeating: 9, count: 16))
        _ = before.receive(deliveryProof, on: 1)
        var after = bench()
        var effects: [RouterEffect] = []
        let records = before.router.store.records(now: before.now)
        after.router.restore(records, now: after.now, into: &effects)
        #expect(after.router.summary == before.router.summary)
        #expect(after.router.store.records(now: after.now) == records)
        #expect(after.router.takeStoreChanges() == [])
        let delivered = effects.compactMap { effect -> Envelope? in
            if case .deliver(let envelope, _) = effect { envelope } else { nil }
        }
        #expect(delivered.count == 3)
        // All that was here is known, and others' envelopes still do not displace the node's own.
        #expect(after.receive(RouterBench.envelope(1), on: 1) == [.dropped(.duplicate)])
        for number in 10..<20 { _ = after.receive(RouterBench.envelope(number), on: 1) }
        #expect(after.router.store[after.id(RouterBench.envelope(0)).shortID] != nil)
    }

    @Test("Records of another content, an unknown shape or without life are not taken up")
    func refused() {
        var bench = bench()
        var effects: [RouterEffect] = []
        let good = RouterBench.envelope(1)
        let id = bench.id(good).shortID
        let noLife = RouterBench.envelope(1, life: 0)
        let short = RouterBench.envelope(2, byteCount: 9)
        bench.router.restore(
            [
                .held(good, shortID: id &+ 1, isOwn: false), .held(noLife, shortID: id, isOwn: false),
                .held(short, shortID: bench.id(short).shortID, isOwn: false),
                .renewed(shortID: 5, life: 5, isOwn: true),
            ],
            now: bench.now,
            into: &effects
        )
        #expect(effects == [])
        #expect(bench.router.store.count == 0)
    }
}
