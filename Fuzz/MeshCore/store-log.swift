#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Checks the log of a store, in chunks of any size: any content is read the same way, and a store restores from it.
func fuzzStoreLog(_ input: [UInt8]) {
    var choices = Choices(input)
    var log: [UInt8] = []
    var reader = StoreLogReader()
    while !choices.isAtEnd {
        let chunk = choices.variant(of: entries[Int(choices.byte()) % entries.count])
        log += chunk
        reader.append(chunk)
    }
    reader.finish()
    var whole = StoreLogReader()
    whole.append(log)
    whole.finish()
    precondition(whole.contents(wall: 2_000).records == reader.contents(wall: 2_000).records)
    precondition(reader.soundByteCount <= log.count && reader.damageCount <= log.count)
    var router = Router(
        configuration: limits,
        cryptography: NullCryptography(),
        random: MeshRandom(seed: 1),
        now: .zero
    )
    var effects: [RouterEffect] = []
    router.restore(reader.contents(wall: 1_000).records, now: .zero, into: &effects)
    check(router)
}

private let entries: [[UInt8]] =
    [StoreLogFormat.beginning, StoreLogFormat.time(age: 5, wall: 1_000)]
    + [
        .held(envelope, shortID: shortID, isOwn: false), .renewed(shortID: shortID, life: 90, isOwn: true),
        .shelf(place: 9, depth: 0), .shelf(place: 0x8000, depth: 16),
    ].map { (record: StoreRecord) in StoreLogFormat.entry(record, age: 7) }
private let envelope = Envelope(kind: .sealed, life: 40, body: [UInt8](repeating: 1, count: 20))
private let shortID = NullCryptography().envelopeID(kindByte: envelope.kindByte, body: envelope.body[...]).shortID
