/// What may happen to an envelope of each kind on its way.
///
/// Source: PROTOCOL §2 envelope, §5 flooding and store.
enum StoragePolicy {
    /// Units: bytes; the release hash at the front of sealed and prekey bodies, and the preimage of a release.
    static let releaseByteCount = 16
    /// Units: bytes; the body of a probe, which begins with a label.
    static let probeByteCounts = PathLabel.byteCount...256
    /// Units: nanoseconds in a tick of an envelope's life.
    static let tickNanoseconds: UInt64 = 10_000_000_000

    /// Whether the body has a shape that its kind allows.
    static func isWellFormed(_ envelope: Envelope) -> Bool {
        switch envelope.kind {
        case .sealed, .prekey: envelope.body.count > releaseByteCount
        case .release: envelope.body.count == releaseByteCount
        case .probe: probeByteCounts.contains(envelope.body.count)
        case .bundle, .room, .live, .chunk: true
        }
    }

    /// When an envelope with this much life left dies.
    static func deadline(life: UInt16, now: MeshInstant) -> MeshInstant {
        now.advanced(nanoseconds: UInt64(life) * tickNanoseconds)
    }

    /// The life left until `deadline`, as a holder writes it: the holding time counts in whole ticks only.
    static func life(until deadline: MeshInstant, now: MeshInstant) -> UInt16 {
        guard deadline > now else { return 0 }
        let left = deadline.nanoseconds - now.nanoseconds
        return UInt16(clamping: left / tickNanoseconds + (left % tickNanoseconds == 0 ? 0 : 1))
    }
}

extension EnvelopeKind {
    /// Whether nodes keep such envelopes for those who come later.
    var isStored: Bool { self != .live && self != .probe }

    /// Whether a log on disk keeps them: what is sealed only, no announcement with names in it.
    var isLogged: Bool {
        switch self {
        case .sealed, .prekey, .release, .chunk: true
        case .bundle, .room, .live, .probe: false
        }
    }

    /// Units: ticks of 10 s; a longer life is cut to this.
    var maximumLife: UInt16 {
        switch self {
        case .sealed, .prekey, .bundle, .room: Envelope.maximumLife
        case .release: 8_640
        case .chunk: 4_320
        case .live: 6
        case .probe: 2
        }
    }

    /// What has to go first when the store is full.
    var storeClass: StoreClass {
        switch self {
        case .chunk, .live, .probe: .chunk
        case .bundle, .room: .announcement
        case .sealed, .prekey: .message
        case .release: .release
        }
    }
}

/// The priorities of stored envelopes, the most expendable first.
enum StoreClass: Int, CaseIterable, Sendable {
    case chunk = 0
    case announcement = 1
    case message = 2
    case release = 3

    /// The order for a node's own: without an own message somebody waits in vain, without an own release others only
    /// keep a little longer what nobody waits for; and of these there is one for each message that came.
    static let ownOrder: [StoreClass] = [.chunk, .release, .announcement, .message]
}
