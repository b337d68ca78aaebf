/// The kinds of envelope that carry messages of sessions.
///
/// Shape: the low half of the envelope's first byte. Source: PROTOCOL §2.
public enum CarrierKind: UInt8, Sendable, CaseIterable {
    /// A sealed message.
    ///
    /// Shape: release hash (16) ‖ message.
    case sealed = 0
    /// A message with a prekey message.
    ///
    /// Shape: release hash (16) ‖ prekey message (1,257) ‖ message.
    case prekey = 1
    /// A message that is worthless later; the body holds nothing else.
    case live = 4
    /// A path probe; the body holds nothing else.
    case probe = 5

    /// Units: bytes of the body that are not counted when it is padded.
    var uncountedByteCount: Int {
        switch self {
        case .sealed, .prekey: DeliveryProofHash.byteCount
        case .live, .probe: 0
        }
    }

    /// Units: bytes of the body before the message.
    var prefixByteCount: Int {
        switch self {
        case .sealed: DeliveryProofHash.byteCount
        case .prekey: DeliveryProofHash.byteCount + PrekeyMessage.byteCount
        case .live, .probe: 0
        }
    }

    /// Units: bytes of a whole envelope of this kind that are not padded content.
    var overheadByteCount: Int {
        Padding.envelopeHeaderByteCount + prefixByteCount - uncountedByteCount + MessageSeal.overheadByteCount
    }

    /// The sizes that an envelope of this kind may have, without the release hash.
    var buckets: [Int] {
        switch self {
        case .sealed, .live: Padding.buckets
        case .prekey: Padding.buckets.filter { $0 >= 2_048 }
        case .probe: [Padding.probeBucket]
        }
    }

    /// The smallest size with room for a whole blob of a key exchange beside content.
    var wideBucket: Int { self == .prekey ? 4_096 : 2_048 }

    /// The sizes that the body of an envelope of this kind may have.
    ///
    /// Units: bytes.
    var bodyByteCounts: Set<Int> { Set(buckets.map { $0 - Padding.envelopeHeaderByteCount + uncountedByteCount }) }

    /// Whether a body of this many bytes fills a bucket.
    func isBucket(bodyByteCount: Int) -> Bool {
        buckets.contains(Padding.envelopeHeaderByteCount + bodyByteCount - uncountedByteCount)
    }
}
