#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Checks envelopes and the messages that compare stores: after encoding, a decoded message decodes to the same value
/// again.
func fuzzEnvelope(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: messages)
    if let envelope = Envelope(decoding: bytes[...]) {
        precondition(envelope.encoded() == bytes)
    }
    if let message = SyncMessage(decoding: bytes) {
        precondition(SyncMessage(decoding: message.encoded()) == message)
    }
}

/// The messages between neighbours: an envelope of each kind, and those that compare stores.
let messages: [[UInt8]] =
    envelopes.map { $0.encoded() }
    + [
        .offer(shortIDs), .want(shortIDs), .ask(salt: 1, place: 0, range: .everything),
        .ask(salt: 1, place: SyncMessage.Ending.failed, range: Shelf(of: 0x8000, depth: 2)),
        .symbols(salt: 1, place: 0, symbols),
    ].map { (message: SyncMessage) in message.encoded() }

private let envelopes = KindPolicy.simulated.kinds.map { kind in
    Envelope(kind: kind, life: 100, body: kind == .release ? deliveryProof : proofHash + [1, 2, 3])
}
private let deliveryProof = [UInt8](repeating: 5, count: StoragePolicy.releaseByteCount)
private let proofHash = NullCryptography().proofHash(deliveryProof: deliveryProof)
private let symbols: [CodedSymbol] = {
    var encoder = SymbolEncoder(shortIDs, hash: SaltedHash(salt: 1, cryptography: NullCryptography()))
    return (0..<20).compactMap { _ in encoder.next() }
}()
private let shortIDs = envelopes.map { envelope in
    NullCryptography().envelopeID(kindByte: envelope.kindByte, body: envelope.body[...]).shortID
}
