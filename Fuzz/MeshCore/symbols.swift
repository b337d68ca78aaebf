#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Checks the code of a set with some changed symbols: the decoder ends, and an honest code yields the difference.
func fuzzSymbols(_ input: [UInt8]) {
    var choices = Choices(input)
    let hash = SaltedHash(salt: UInt64(choices.byte()), cryptography: NullCryptography())
    let (theirs, ours) = (Int(choices.byte() % 32), Int(choices.byte() % 32))
    var encoder = SymbolEncoder((0..<theirs).map { UInt64($0) << 8 }, hash: hash)
    var decoder = SymbolDecoder((0..<ours).map { UInt64($0) << 9 }, hash: hash)
    var progress = SymbolDecoder.Progress.incomplete
    var isHonest = true
    // The limit is more than an honest code of so few elements needs, or the maximum, which takes a hundred times as
    // long.
    let limit = choices.byte() == .max ? SymbolPositions.limit : 128
    while progress == .incomplete, decoder.symbolCount < limit, var symbol = encoder.next() {
        if choices.flag() {
            isHonest = false
            let id = UInt64(choices.byte())
            symbol = CodedSymbol(sum: id, check: hash(id), count: Int64(choices.byte() % 3))
        }
        progress = decoder.add(symbol)
        precondition(decoder.missing.count + decoder.surplus.count <= decoder.symbolCount)
    }
    guard isHonest, progress == .complete else { return }
    let sets = (Set((0..<theirs).map { UInt64($0) << 8 }), Set((0..<ours).map { UInt64($0) << 9 }))
    precondition(Set(decoder.missing) == sets.0.subtracting(sets.1))
    precondition(Set(decoder.surplus) == sets.1.subtracting(sets.0))
}
