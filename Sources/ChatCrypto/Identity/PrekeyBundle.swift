import Bytes

/// The prekey bundle that a user publishes so that other users can write first: both keys, two prekeys and a nickname,
/// signed.
///
/// Invariant: the signature and every length were checked when it was read. Shape: version 1 (1) ‖ signing key (32) ‖
/// agreement key (32) ‖ sequence (4) ‖ prekey (32) ‖ KEM prekey (1,184) ‖ created (4) ‖ not after (4) ‖ extension length
/// (2) ‖ extension ‖ nickname length (1) ‖ nickname ‖ signature (64). An extension is a list of type (1) ‖ length (1) ‖
/// bytes, in rising order of type. Source: PROTOCOL §6.2.
public struct PrekeyBundle: Hashable, Sendable {
    /// The signed bytes as they travel.
    public let bytes: [UInt8]
    /// The identity that owns the bundle.
    public let identity: PublicIdentity
    /// The counter of this identity's prekeys; it never decreases.
    public let sequence: UInt32
    /// The X25519 key for prekey messages.
    ///
    /// Shape: 32 bytes.
    public let prekey: [UInt8]
    /// The ML-KEM-768 key for prekey messages, made together with `prekey`.
    ///
    /// Shape: 1,184 bytes.
    public let kemPrekey: [UInt8]
    /// The hour at which the bundle was made.
    ///
    /// Units: hours since 1970.
    public let createdHour: UInt32
    /// The last hour in which the bundle is valid.
    ///
    /// Units: hours since 1970.
    public let notAfterHour: UInt32
    /// The nickname that the owner chose; nil if none.
    public let nickname: Nickname?

    /// The version of this bundle, which also names the suite: X25519 with ML-KEM-768, AES-256-GCM and SHA-256.
    public var version: UInt8 { Self.version }

    /// Units: bytes without nickname and extension.
    static let fixedByteCount = 1_360
    /// Units: bytes of an extension.
    static let maximumExtensionByteCount = 256
    /// Units: hours between `createdHour` and `notAfterHour`.
    static let lifeHours: UInt32 = 168
    /// Units: hours by which two clocks may differ.
    static let clockSkewHours: UInt32 = 24
    private static let version: UInt8 = 1
    private static let label = Label.bundle

    /// Reads and checks a bundle from any peer.
    ///
    /// It does not check the validity period; see `isUsable(at:)`.
    ///
    /// - Throws: `unknownVersion`, `malformed` for wrong lengths and fields, `authenticationFailed` for a wrong
    ///   signature, and the errors of `Nickname`.
    public init(verifying bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard let version = reader.integer(UInt8.self) else { throw Self.malformed }
        guard version == Self.version else {
            throw CryptoError(.unknownVersion, "The version of the prekey bundle is unknown.")
        }
        guard let signingKey = reader.bytes(32), let agreementKey = reader.bytes(32),
            let identity = PublicIdentity(signingKey: signingKey, agreementKey: agreementKey),
            let sequence = reader.integer(UInt32.self), let prekey = reader.bytes(32),
            let kemPrekey = reader.bytes(KEM768.publicKeyByteCount),
            let created = reader.integer(UInt32.self), let notAfter = reader.integer(UInt32.self),
            let extensionByteCount = reader.integer(UInt16.self),
            let extended = reader.take(Int(extensionByteCount)),
            let name = reader.shortField(), let signature = reader.bytes(64), reader.isAtEnd
        else { throw Self.malformed }
        guard Self.isExtension(extended), KEM768.isPublicKey(kemPrekey), notAfter > created,
            notAfter - created <= Self.lifeHours
        else { throw Self.malformed }
        guard Ed25519.verify(signature, Self.label, Array(bytes.dropLast(64)), key: signingKey) else {
            throw CryptoError(.authenticationFailed, "The signature of the prekey bundle is wrong.")
        }
        self.nickname = name.isEmpty ? nil : try Nickname(decoding: name)
        self.bytes = bytes
        self.identity = identity
        self.sequence = sequence
        self.prekey = prekey
        self.kemPrekey = kemPrekey
        createdHour = created
        notAfterHour = notAfter
    }

    /// Makes and signs the bundle of the prekeys of this identity.
    init(
        of owner: Identity,
        prekey: [UInt8],
        kemPrekey: [UInt8],
        sequence: UInt32,
        createdHour: UInt32,
        nickname: Nickname?
    ) {
        identity = owner.publicIdentity
        self.sequence = sequence
        self.prekey = prekey
        self.kemPrekey = kemPrekey
        self.createdHour = createdHour
        notAfterHour = createdHour.addingClamped(Self.lifeHours)
        self.nickname = nickname
        let name = nickname?.bytes ?? []
        var fields: [UInt8] = [Self.version] + identity.encoded
        fields += sequence.bigEndianBytes + prekey + kemPrekey
        fields += createdHour.bigEndianBytes + notAfterHour.bigEndianBytes
        fields += UInt16(0).bigEndianBytes + [UInt8(name.count)] + name
        bytes = fields + owner.signing.sign(Self.label, fields)
    }

    /// Whether the bytes are an extension of at most 256 bytes; a type that this version does not know is allowed.
    private static func isExtension(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= maximumExtensionByteCount else { return false }
        var reader = ByteReader(bytes)
        var last: UInt8?
        while !reader.isAtEnd {
            guard let type = reader.byte(), last.map({ $0 < type }) ?? true, reader.shortField() != nil else {
                return false
            }
            last = type
        }
        return true
    }

    /// Whether a prekey message may be made with this bundle; the check tolerates clocks that differ by a day.
    ///
    /// - Parameter now: seconds since 1970.
    public func isUsable(at now: UInt32) -> Bool {
        let hour = now / 3_600
        return hour.addingClamped(Self.clockSkewHours) >= createdHour
            && hour <= notAfterHour.addingClamped(Self.clockSkewHours)
    }

    /// Whether this bundle replaces another one of the same identity.
    public func supersedes(_ other: PrekeyBundle) -> Bool {
        identity.id == other.identity.id && sequence > other.sequence
    }

    private static let malformed = CryptoError(.malformed, "The prekey bundle has a wrong length or field.")
}

extension UInt32 {
    /// The sum, or the largest value if the sum overflows.
    package func addingClamped(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The difference, or zero if it would be negative, for example after a clock was set back.
    package func subtractingClamped(_ other: UInt32) -> UInt32 {
        self > other ? self - other : 0
    }
}
