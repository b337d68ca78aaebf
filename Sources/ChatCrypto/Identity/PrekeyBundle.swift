import Bytes

/// The prekey bundle that a user publishes so that other users can write first: both keys, a prekey and a nickname,
/// signed.
///
/// Invariant: the signature and every length were checked when it was read. Shape: version 1 (1) ‖ suites (1) ‖ signing
/// key (32) ‖ agreement key (32) ‖ sequence (4) ‖ prekey (32) ‖ created (4) ‖ not after (4) ‖ KEM key length (2) ‖ KEM
/// key ‖ nickname length (1) ‖ nickname ‖ signature (64). Source: PROTOCOL §6.
public struct PrekeyBundle: Hashable, Sendable {
    /// The signed bytes as they travel.
    public let bytes: [UInt8]
    /// The identity that owns the bundle.
    public let identity: PublicIdentity
    /// The suites that the owner accepts, one bit each; bit 0 is suite 1.
    public let suites: UInt8
    /// The counter of this identity's prekeys; it never decreases.
    public let sequence: UInt32
    /// The X25519 key for prekey messages.
    ///
    /// Shape: 32 bytes.
    public let prekey: [UInt8]
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

    /// Units: bytes without nickname and KEM key.
    static let fixedByteCount = 177
    /// Units: hours between `createdHour` and `notAfterHour`.
    static let lifeHours: UInt32 = 168
    /// Units: hours by which two clocks may differ.
    static let clockSkewHours: UInt32 = 24
    private static let version: UInt8 = 1
    private static let firstSuite: UInt8 = 1
    private static let label = Label.bundle

    /// Reads and checks a bundle from any peer.
    ///
    /// It does not check the validity period; see `isUsable(at:)`.
    ///
    /// - Throws: `unknownVersion` for an unknown version or unknown suites, `malformed` for wrong lengths and fields,
    ///   `authenticationFailed` for a wrong signature, and the errors of `Nickname`.
    public init(verifying bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard let version = reader.integer(UInt8.self), let suites = reader.integer(UInt8.self) else {
            throw Self.malformed
        }
        guard version == Self.version, suites & Self.firstSuite != 0 else {
            throw CryptoError(.unknownVersion, "The version or suite of the prekey bundle is unknown.")
        }
        guard let signingKey = reader.bytes(32), let agreementKey = reader.bytes(32),
            let identity = PublicIdentity(signingKey: signingKey, agreementKey: agreementKey),
            let sequence = reader.integer(UInt32.self), let prekey = reader.bytes(32),
            let created = reader.integer(UInt32.self), let notAfter = reader.integer(UInt32.self),
            let kemByteCount = reader.integer(UInt16.self), reader.bytes(Int(kemByteCount)) != nil,
            let name = reader.shortField(), let signature = reader.bytes(64), reader.isAtEnd
        else { throw Self.malformed }
        // A KEM key without a suite that uses it would be bytes without a meaning.
        guard suites > Self.firstSuite || kemByteCount == 0, notAfter > created, notAfter - created <= Self.lifeHours
        else { throw Self.malformed }
        guard Ed25519.verify(signature, Self.label, Array(bytes.dropLast(64)), key: signingKey) else {
            throw CryptoError(.authenticationFailed, "The signature of the prekey bundle is wrong.")
        }
        self.nickname = name.isEmpty ? nil : try Nickname(decoding: name)
        self.bytes = bytes
        self.identity = identity
        self.suites = suites
        self.sequence = sequence
        self.prekey = prekey
        createdHour = created
        notAfterHour = notAfter
    }

    /// Makes and signs the bundle of a prekey of this identity.
    init(of owner: Identity, prekey: [UInt8], sequence: UInt32, createdHour: UInt32, nickname: Nickname?) {
        identity = owner.publicIdentity
        suites = Self.firstSuite
        self.sequence = sequence
        self.prekey = prekey
        self.createdHour = createdHour
        notAfterHour = createdHour.addingClamped(Self.lifeHours)
        self.nickname = nickname
        let name = nickname?.bytes ?? []
        var fields: [UInt8] = [Self.version, suites] + identity.encoded
        fields += sequence.bigEndianBytes + prekey
        fields += createdHour.bigEndianBytes + notAfterHour.bigEndianBytes
        fields += UInt16(0).bigEndianBytes + [UInt8(name.count)] + name
        bytes = fields + owner.signing.sign(Self.label, fields)
    }

    /// The highest suite that the bundle offers, at least 1.
    public var highestSuite: Int { UInt8.bitWidth - suites.leadingZeroBitCount }

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
    func addingClamped(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The difference, or zero if it would be negative, for example after a clock was set back.
    func subtractingClamped(_ other: UInt32) -> UInt32 {
        self > other ? self - other : 0
    }
}
