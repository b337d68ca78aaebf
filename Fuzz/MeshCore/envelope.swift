/// Envelopes and the messages that compare stores: what decodes is encoded to the same bytes.
func fuzzEnvelope(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: messages)
    if let envelope = Envelope(decoding: bytes[...]) {
        precondition(envelope.encoded() == bytes)
    }
    if let message = SyncMessage(decoding: bytes) {
        precondition(message.encoded() == bytes)
    }
}

/// What neighbours say to each other: an envelope of each kind, offers and wants of them.
let messages: [[UInt8]] =
    envelopes.map { $0.encoded() } + [SyncMessage.offer(shortIDs).encoded(), SyncMessage.want(shortIDs).encoded()]

private let envelopes = EnvelopeKind.allCases.map { kind in
    Envelope(kind: kind, hops: 2, life: 100, body: kind == .release ? preimage : releaseHash + [1, 2, 3])
}
private let preimage = [UInt8](repeating: 5, count: StoragePolicy.releaseByteCount)
private let releaseHash = NullCryptography().releaseHash(preimage: preimage)
private let shortIDs = envelopes.map { envelope in
    NullCryptography().envelopeID(kindByte: envelope.kindByte, body: envelope.body[...]).shortID
}
