import Bytes

/// The statement that a user continues under a new identity, signed by the old one and the new one.
///
/// It is sent inside sessions. The trust store decides whether it moves a contact, because a thief of the old key can
/// make one too. Shape: old ID (32) ‖ new signing key (32) ‖ new agreement key (32) ‖ time (4) ‖ counter (4) ‖
/// signature by the old key (64) ‖ signature by the new key (64). Source: PROTOCOL §9.
public struct RotationStatement: Hashable, Sendable {
    /// The identity that is replaced.
    public let oldID: PeerID
    /// The identity that replaces the old one.
    public let newIdentity: PublicIdentity
    /// The time of the statement.
    ///
    /// Units: seconds since 1970 by its maker's clock.
    public let time: UInt32
    /// The counter, which rises with every rotation, so that an old statement cannot be replayed.
    public let counter: UInt32
    /// The encoded statement.
    public let bytes: [UInt8]

    /// Units: bytes.
    public static let byteCount = 232
    private static let signedByteCount = 104
    private static let oldKeyLabel = Label.rotationByOldKey
    private static let newKeyLabel = Label.rotationByNewKey

    /// Computes the counter of the next rotation: the clock, so that a statement made after the restoration of a backup
    /// is newer than those before it, and more than the last counter.
    ///
    /// A last counter from a time when the clock ran ahead does not count, because no peer accepted it.
    public static func counter(after last: UInt32, at now: UInt32) -> UInt32 {
        last > now.addingClamped(TrustLimits.maximumCounterLead) ? now : max(last.addingClamped(1), now)
    }

    /// Makes the statement; it needs both secret sides.
    public init(from old: Identity, to new: Identity, counter: UInt32, at now: UInt32) {
        oldID = old.publicIdentity.id
        newIdentity = new.publicIdentity
        time = now
        self.counter = counter
        let signed = oldID.bytes + newIdentity.encoded + now.bigEndianBytes + counter.bigEndianBytes
        bytes = signed + old.signing.sign(Self.oldKeyLabel, signed) + new.signing.sign(Self.newKeyLabel, signed)
    }

    /// Reads a statement and checks the new key's signature; `isSigned(by:)` checks the old key's.
    ///
    /// - Throws: `malformed`, `authenticationFailed`.
    public init(verifying bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard let oldID = reader.bytes(32).flatMap({ PeerID(bytes: $0) }),
            let newIdentity = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let time = reader.integer(UInt32.self), let counter = reader.integer(UInt32.self),
            reader.bytes(64) != nil, let newSignature = reader.bytes(64), reader.isAtEnd, newIdentity.id != oldID
        else { throw CryptoError(.malformed, "The bytes are not a rotation.") }
        let signed = Array(bytes[..<Self.signedByteCount])
        guard Ed25519.verify(newSignature, Self.newKeyLabel, signed, key: newIdentity.signingKey) else {
            throw CryptoError(.authenticationFailed, "The rotation is not signed by the new key.")
        }
        self.oldID = oldID
        self.newIdentity = newIdentity
        self.time = time
        self.counter = counter
        self.bytes = bytes
    }

    /// Whether the old identity signed the statement.
    public func isSigned(by old: PublicIdentity) -> Bool {
        let signature = Array(bytes[Self.signedByteCount..<(Self.signedByteCount + 64)])
        return old.id == oldID
            && Ed25519.verify(
                signature,
                Self.oldKeyLabel,
                Array(bytes[..<Self.signedByteCount]),
                key: old.signingKey
            )
    }
}
