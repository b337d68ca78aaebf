import Bytes

/// What a person publishes so that others can write to them first: both keys, a prekey and a nickname, signed.
///
/// Invariant: the signature and every length were checked when it was read. Shape: version 1 (1) ‖ suites (1) ‖
/// signing key (32) ‖ agreement key (32) ‖ sequence (4) ‖ prekey (32) ‖ created (4) ‖ not after (4) ‖ KEM key length
/// (2) ‖ KEM key ‖ nickname length (1) ‖ nickname ‖ signature (64). Source: PROTOCOL §6.
public struct IdentityBundle: Hashable, Sendable {
    /// The signed bytes as they travel.
    public let bytes: [UInt8]
    /// Whose bundle this is.
    public let identity: PublicIdentity
    /// The suites its owner takes, one bit each; bit 0 is suite 1.
    public let suites: UInt8
    /// Counts the prekeys of this identity and never goes back.
    public let sequence: UInt32
    /// The X25519 key for first flights.
    ///
    /// Shape: 32 bytes.
    public let prekey: [UInt8]
    /// Units: hours since 1970.
    ///
    ///
    public let createdHour: UInt32
    /// Units: hours since 1970.
    public let notAfterHour: UInt32
    /// What its owner wants to be called; nil if nothing.
    public let nickname: Nickname?

    /// Units: bytes without nickname and KEM key.
    static let fixedByteCount = 177
    /// Units: hours between `createdHour` and `notAfterHour`.
    static let lifeHours: UInt32 = 168
    /// Units: hours by which clocks may differ.
    static let clockSkewHours: UInt32 = 24
    private static let version: UInt8 = 1
    private static let firstSuite: UInt8 = 1
    private static let label = Label.bundle

    /// Reads and checks a bundle from anybody.
    ///
    /// Whether it is still in time is asked of `isUsable(at:)`.
    ///
    /// - Throws: `unknownVersion` for a version or suites that are not known here, `malformed` for wrong lengths and
    ///   fields, `authenticationFailed` for a wrong signature, and what `Nickname` throws.
    public init(verifying bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard let version = reader.integer(UInt8.self), let suites = reader.integer(UInt8.self) else {
            throw Self.malformed
        }
        guard version == Self.version, suites & Self.firstSuite != 0 else {
            throw CryptoError(.unknownVersion, "The bundle's version or suite is not known here.")
        }
        guard let signingKey = reader.bytes(32), let agreementKey = reader.bytes(32),
            let identity = PublicIdentity(signingKey: signingKey, agreementKey: agreementKey),
            let sequence = reader.integer(UInt32.self), let prekey = reader.bytes(32),
            let created = reader.integer(UInt32.self), let notAfter = reader.integer(UInt32.self),
            let kemByteCount = reader.integer(UInt16.self), reader.bytes(Int(kemByteCount)) != nil,
            let name = reader.shortField(), let signature = reader.bytes(64), reader.isAtEnd
        else { throw Self.malformed }
        // A key that belongs to no suite on offer would be bytes without a meaning.
        guard suites > Self.firstSuite || kemByteCount == 0, notAfter > created, notAfter - created <= Self.lifeHours
        else { throw Self.malformed }
        guard Ed25519.verify(signature, Self.label, Array(bytes.dropLast(64)), key: signingKey) else {
            throw CryptoError(.authenticationFailed, "The bundle's signature is wrong.")
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

    /// Makes and signs the bundle of one's own prekey.
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

    /// The highest suite on offer, 1 at least.
    public var highestSuite: Int { UInt8.bitWidth - suites.leadingZeroBitCount }

    /// Whether a first flight may be made with it; a clock a day wrong on either side does no harm.
    ///
    /// - Parameter now: seconds since 1970.
    public func isUsable(at now: UInt32) -> Bool {
        let hour = now / 3_600
        return hour.addingClamped(Self.clockSkewHours) >= createdHour
            && hour <= notAfterHour.addingClamped(Self.clockSkewHours)
    }

    /// Whether this bundle takes the place of another of the same identity.
    public func supersedes(_ other: IdentityBundle) -> Bool {
        identity.id == other.identity.id && sequence > other.sequence
    }

    private static let malformed = CryptoError(.malformed, "The bundle has a wrong length or field.")
}

extension UInt32 {
    /// The sum, or the largest value there is.
    func addingClamped(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The difference, or zero where it would be negative, as when a clock was set back.
    func subtractingClamped(_ other: UInt32) -> UInt32 {
        self > other ? self - other : 0
    }
}
