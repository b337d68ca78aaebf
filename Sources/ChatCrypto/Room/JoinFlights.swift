import Bytes

/// The name of one run of a join: a hash of its first flight, so that nobody can use up another's.
///
/// Shape: 16 bytes. Source: PROTOCOL §17.
public struct JoinRunID: Hashable, Sendable {
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    static let byteCount = 16

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    init(of hello: [UInt8]) {
        bytes = Array(SHA256.hash(label: Label.joinRun, hello).prefix(Self.byteCount))
    }
}

/// What a side of a join says of itself in the clear: the keys that it has in this room, and something random.
///
/// Shape: signing key (32) ‖ agreement key (32) ‖ random (16). Source: PROTOCOL §17.
struct JoinCard: Equatable, Sendable {
    let identity: PublicIdentity
    let bytes: [UInt8]

    static let byteCount = 80

    init(of identity: PublicIdentity) {
        self.identity = identity
        bytes = identity.encoded + randomBytes(16)
    }

    init?(decoding bytes: [UInt8]) {
        guard bytes.count == Self.byteCount,
            let identity = PublicIdentity(decoding: Array(bytes[..<PublicIdentity.byteCount]))
        else { return nil }
        self.identity = identity
        self.bytes = bytes
    }
}

/// The first flight of a join: a joiner knocks.
///
/// Shape: 01 ‖ lobby (16) ‖ point (32) ‖ card (80), 129 bytes. Source: PROTOCOL §17.
public struct JoinHello: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The name of the run that it begins.
    public let run: JoinRunID
    let lobby: [UInt8]
    let point: [UInt8]
    let card: [UInt8]

    static let type: UInt8 = 1

    init(lobby: [UInt8], point: [UInt8], card: [UInt8]) {
        self.lobby = lobby
        self.point = point
        self.card = card
        bytes = [Self.type] + lobby + point + card
        run = JoinRunID(of: bytes)
    }

    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer(UInt8.self) == Self.type, let lobby = reader.bytes(Lobby.byteCount),
            let point = reader.bytes(32), let card = reader.bytes(JoinCard.byteCount), reader.isAtEnd
        else { return nil }
        self.init(lobby: lobby, point: point, card: card)
    }
}

/// The second flight: the host answers, and proves that it has the same code.
///
/// Shape: 02 ‖ run (16) ‖ point (32) ‖ card (80) ‖ proof (32), 161 bytes. Source: PROTOCOL §17.
public struct JoinAnswer: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The run that it belongs to.
    public let run: JoinRunID
    let point: [UInt8]
    let card: [UInt8]
    let tag: [UInt8]

    static let type: UInt8 = 2

    init(run: JoinRunID, point: [UInt8], card: [UInt8], tag: [UInt8]) {
        self.run = run
        self.point = point
        self.card = card
        self.tag = tag
        bytes = [Self.type] + run.bytes + point + card + tag
    }

    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer(UInt8.self) == Self.type,
            let run = reader.bytes(JoinRunID.byteCount).flatMap({ JoinRunID(bytes: $0) }),
            let point = reader.bytes(32), let card = reader.bytes(JoinCard.byteCount),
            let tag = reader.bytes(HMACSHA256.byteCount), reader.isAtEnd
        else { return nil }
        self.init(run: run, point: point, card: card, tag: tag)
    }
}

/// The third flight: the joiner proves that it has the same code, and says who it is in this room.
///
/// Shape: 03 ‖ run (16) ‖ proof (32) ‖ sealed bundle, padded so that its envelope fills a bucket. Source: PROTOCOL §17.
public struct JoinRequest: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The run that it belongs to.
    public let run: JoinRunID
    let tag: [UInt8]
    let sealed: [UInt8]

    static let type: UInt8 = 3
    /// From the first into which any bundle of suite 1 fits, so that a nickname's length does not show.
    private static let buckets = Array(Padding.buckets.dropFirst())
    private static let overheadByteCount = 1 + JoinRunID.byteCount + HMACSHA256.byteCount + AEAD.tagByteCount
    private static let nonce = [UInt8](repeating: 0, count: AEAD.nonceByteCount)

    /// Seals a bundle; nil if it fits no envelope, as no bundle of a known suite does.
    init?(run: JoinRunID, keys: JoinKeys, bundle: IdentityBundle) {
        let overhead = Padding.envelopeHeaderByteCount + Self.overheadByteCount
        guard let padded = Padding.pad(bundle.bytes, overheadByteCount: overhead, buckets: Self.buckets) else {
            return nil
        }
        let sealed = AEAD.seal(padded, key: keys.toHost, nonce: Self.nonce, associatedData: [])
        self.init(run: run, tag: keys.joinerTag, sealed: sealed)
    }

    private init(run: JoinRunID, tag: [UInt8], sealed: [UInt8]) {
        self.run = run
        self.tag = tag
        self.sealed = sealed
        bytes = [Self.type] + run.bytes + tag + sealed
    }

    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard Self.buckets.contains(Padding.envelopeHeaderByteCount + bytes.count),
            reader.integer(UInt8.self) == Self.type,
            let run = reader.bytes(JoinRunID.byteCount).flatMap({ JoinRunID(bytes: $0) }),
            let tag = reader.bytes(HMACSHA256.byteCount), let sealed = reader.bytes(reader.remainingCount)
        else { return nil }
        self.init(run: run, tag: tag, sealed: sealed)
    }

    /// The joiner's bundle; nil if it does not open or is somebody else's.
    func open(_ key: SecretBytes, from joiner: PublicIdentity) -> IdentityBundle? {
        guard let padded = AEAD.open(sealed, key: key, nonce: Self.nonce, associatedData: []),
            let content = Padding.strip(padded), let bundle = try? IdentityBundle(verifying: content),
            bundle.identity == joiner
        else { return nil }
        return bundle
    }
}
