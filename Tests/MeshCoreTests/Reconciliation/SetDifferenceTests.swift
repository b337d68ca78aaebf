import Testing

@testable import MeshCore

/// Two sets that share some ids and differ in others, and the result of comparing them.
private struct Difference {
    let shared: [UInt64]
    let theirs: [UInt64]
    let ours: [UInt64]

    init(shared: Int, theirs: Int, ours: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.shared = (0..<shared).map { _ in random.next() }
        self.theirs = (0..<theirs).map { _ in random.next() }
        self.ours = (0..<ours).map { _ in random.next() }
    }

    /// Decodes as many symbols as are needed, or all symbols of the code.
    func decode(salt: UInt64) -> (decoder: SymbolDecoder, progress: SymbolDecoder.Progress) {
        let hash = SaltedHash(salt: salt, cryptography: ToyCryptography())
        var encoder = SymbolEncoder(shared + theirs, hash: hash)
        var decoder = SymbolDecoder(ours + shared.reversed(), hash: hash)
        var progress = SymbolDecoder.Progress.incomplete
        while progress == .incomplete, let symbol = encoder.next() { progress = decoder.add(symbol) }
        return (decoder, progress)
    }
}

@Suite("Set difference")
struct SetDifferenceTests {
    @Test("Any two sets' difference is found whole, each side's alone", arguments: 1...40 as ClosedRange<UInt64>)
    func finds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let difference = Difference(
            shared: Int.random(in: 0...3_000, using: &random),
            theirs: Int.random(in: 0...(seed < 20 ? 20 : 500), using: &random),
            ours: Int.random(in: 0...(seed < 20 ? 20 : 500), using: &random),
            seed: random.next()
        )
        let (decoder, progress) = difference.decode(salt: random.next())
        #expect(progress == .complete)
        #expect(decoder.missing.sorted() == difference.theirs.sorted())
        #expect(decoder.surplus.sorted() == difference.ours.sorted())
    }

    @Test(
        "The symbols needed follow from the difference alone",
        arguments: [(0, 1.0), (1, 4), (10, 2.6), (100, 1.8), (1_000, 1.5)] as [(Int, Double)],
        [0, 10_000]
    )
    func cost(difference: (count: Int, most: Double), shared: Int) {
        let runs = 10
        let total = (0..<runs).reduce(0) { sum, run in
            let theirs = difference.count / 2
            let sets = Difference(
                shared: shared / runs,
                theirs: theirs,
                ours: difference.count - theirs,
                seed: UInt64(run)
            )
            let (decoder, progress) = sets.decode(salt: UInt64(run))
            #expect(progress == .complete)
            return sum + decoder.symbolCount
        }
        let each = Double(total) / Double(runs * max(1, difference.count))
        #expect(each <= difference.most)
    }

    @Test("A difference too large for the code stays unknown")
    func tooLarge() {
        let (decoder, progress) = Difference(shared: 10, theirs: 6_000, ours: 0, seed: 1).decode(salt: 1)
        #expect(progress == .incomplete)
        #expect(decoder.symbolCount == SymbolPositions.limit)
    }

    @Test("An id falls on the first place, and on each later one as often as it is to")
    func places() {
        let runs = 4_000
        var counts = [Int](repeating: 0, count: SymbolPositions.limit)
        for run in 0..<runs {
            var places = SymbolPositions(hash: UInt64(run) &* 0x9E37_79B9_7F4A_7C15)
            while places.place < SymbolPositions.limit {
                let last = places.place
                counts[last] += 1
                places.advance()
                #expect(places.place > last)
            }
        }
        #expect(counts[0] == runs)
        for place in [1, 2, 10, 30] {
            let expected = Double(runs) * 2 / Double(place + 2)
            #expect(abs(Double(counts[place]) - expected) < 5 * expected.squareRoot())
        }
        let tail = (2_048..<4_096).reduce(0) { $0 + counts[$1] }
        // The sum of 2 / (i + 2) over these positions is nearly 2 ln 2.
        #expect(abs(Double(tail) - Double(runs) * 1.386) < 400)
    }

    @Test("The places of an id are the same everywhere")
    func knownPlaces() {
        var places = SymbolPositions(hash: 1)
        var first: [Int] = []
        while places.place < SymbolPositions.limit {
            first.append(places.place)
            places.advance()
        }
        #expect(first == Self.placesOfOne)
    }

    private static let placesOfOne = [
        0, 1, 2, 3, 6, 10, 12, 13, 19, 37, 42, 67, 87, 130, 180, 274, 673, 839, 930, 1127, 1199,
    ]

    @Test("Random symbols never stop the decoder, and most of them show that they are no code")
    func nonsense() {
        var senselessCount = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let hash = SaltedHash(salt: seed, cryptography: ToyCryptography())
            var decoder = SymbolDecoder([], hash: hash)
            var progress = SymbolDecoder.Progress.incomplete
            for _ in 0..<SymbolPositions.limit where progress == .incomplete {
                let id = UInt64.random(in: 0...9, using: &random)
                // Pure symbols of the same few ids again and again, and symbols that are not pure.
                let symbol =
                    UInt8.random(in: 0...9, using: &random) > 0
                    ? CodedSymbol(sum: id, check: hash(id), count: 1)
                    : CodedSymbol(sum: random.next(), check: random.next(), count: Int64(UInt32.max))
                progress = decoder.add(symbol)
                #expect(decoder.missing.count + decoder.surplus.count <= decoder.symbolCount)
            }
            senselessCount += progress == .senseless ? 1 : 0
        }
        #expect(senselessCount > 0)
    }
}
