import Bytes

/// The name of one run of a join: a hash of its first message; no other joiner can therefore use the run up.
///
/// Shape: 16 bytes. Source: PROTOCOL §17.
public struct JoinRunID: Hashable, Sendable {
    /// The bytes of the ID.
    ///
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

/// The join credential that each side of a join sends in the clear: its keys in this room, and its part of ML-KEM-768.
///
/// Shape: signing key (32) ‖ agreement key (32) ‖ the joiner's KEM key (1,184) or the host's ciphertext for it (1,088).
/// Source: PROTOCOL §17.3.
struct JoinIdentity: Equatable, Sendable {
    let identity: PublicIdentity
    /// The joiner's fresh public key, or the ciphertext that the host has made for it.
    let kemPart: [UInt8]

    /// Units: bytes of a joiner's credential.
    static let joinerByteCount = PublicIdentity.byteCount + KEM768.publicKeyByteCount
    /// Units: bytes of a host's credential.
    static let hostByteCount = PublicIdentity.byteCount + KEM768.ciphertextByteCount

    init(of identity: PublicIdentity, kemPart: [UInt8]) {
        self.identity = identity
        self.kemPart = kemPart
    }

    /// Reads a credential whose length was checked.
    init?(decoding bytes: [UInt8]) {
        guard let identity = PublicIdentity(decoding: Array(bytes.prefix(PublicIdentity.byteCount))) else { return nil }
        self.identity = identity
        kemPart = Array(bytes.dropFirst(PublicIdentity.byteCount))
    }

    var bytes: [UInt8] { identity.encoded + kemPart }
}

/// The first join message (J1): the joiner's join request.
///
/// Shape: 01 ‖ lobby (16) ‖ point (32) ‖ card (1,248), 1,297 bytes. Source: PROTOCOL §17.3.
public struct JoinHello: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The ID of the run that the message begins.
    public let run: JoinRunID
    let lobby: [UInt8]
    let point: [UInt8]
    let card: [UInt8]

    static let type: UInt8 = 1
    /// Units: bytes.
    static let byteCount = 1 + Lobby.byteCount + 32 + JoinIdentity.joinerByteCount

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
            let point = reader.bytes(32), let card = reader.bytes(JoinIdentity.joinerByteCount), reader.isAtEnd
        else { return nil }
        self.init(lobby: lobby, point: point, card: card)
    }
}

/// The second join message (J2): the host answers and proves that it has the same code.
///
/// Shape: 02 ‖ run (16) ‖ point (32) ‖ card (1,152) ‖ proof (32), 1,233 bytes. Source: PROTOCOL §17.3.
public struct JoinAnswer: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The run that the message belongs to.
    public let run: JoinRunID
    let point: [UInt8]
    let card: [UInt8]
    let tag: [UInt8]

    static let type: UInt8 = 2
    /// Units: bytes.
    static let byteCount = 1 + JoinRunID.byteCount + 32 + JoinIdentity.hostByteCount + HMACSHA256.byteCount

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
            let point = reader.bytes(32), let card = reader.bytes(JoinIdentity.hostByteCount),
            let tag = reader.bytes(HMACSHA256.byteCount), reader.isAtEnd
        else { return nil }
        self.init(run: run, point: point, card: card, tag: tag)
    }
}

/// The third join message (J3): the joiner proves that it has the same code and sends its prekey bundle for this room.
///
/// Shape: 03 ‖ run (16) ‖ proof (32) ‖ sealed bundle, padded so that its envelope fills a bucket. Source: PROTOCOL §17.
public struct JoinRequest: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The run that the message belongs to.
    public let run: JoinRunID
    let tag: [UInt8]
    let sealed: [UInt8]

    static let type: UInt8 = 3
    /// The allowed sizes, from the first one into which every bundle fits.
    ///
    /// The size does not reveal the length of a nickname.
    private static let buckets = Padding.buckets.filter { $0 >= 2_048 }
    private static let overheadByteCount = 1 + JoinRunID.byteCount + HMACSHA256.byteCount + AEAD.tagByteCount
    private static let nonce = [UInt8](repeating: 0, count: AEAD.nonceByteCount)

    /// Seals a bundle; nil if it fits no envelope.
    ///
    /// Every bundle fits.
    init?(run: JoinRunID, keys: JoinKeys, bundle: PrekeyBundle) {
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

    /// Opens the joiner's bundle; nil if it does not open or belongs to another identity.
    func open(_ key: SecretBytes, from joiner: PublicIdentity) -> PrekeyBundle? {
        guard let padded = AEAD.open(sealed, key: key, nonce: Self.nonce, associatedData: []),
            let content = Padding.strip(padded), let bundle = try? PrekeyBundle(verifying: Array(content)),
            bundle.identity == joiner
        else { return nil }
        return bundle
    }
}
