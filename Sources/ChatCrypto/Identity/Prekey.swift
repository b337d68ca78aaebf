/// A prekey of this node: its two secrets, and the bundle that published their public sides.
///
/// The whole bundle is kept, because a prekey message binds every byte of it. Source: PROTOCOL §6.2.
struct Prekey: Sendable {
    let key: X25519.PrivateKey
    /// The seed of the ML-KEM-768 key.
    ///
    /// Shape: 64 bytes.
    let kemSeed: SecretBytes
    let bundle: PrekeyBundle
    /// The hour at which the next prekey is due.
    ///
    /// Units: hours since 1970.
    let rotatesAtHour: UInt32

    /// Units: hours until the next prekey.
    ///
    /// `rotationJitterHours` is the variation, so that nodes do not announce in step.
    static let rotationHours: UInt32 = 24
    static let rotationJitterHours: UInt32 = 2
    /// Units: hours after which the secret is deleted: the sum of validity, store-and-forward and clock skew.
    static let deletionHours: UInt32 = 15 * 24
    private static let version: UInt8 = 1

    /// Makes a new prekey.
    init(of owner: Identity, sequence: UInt32, nickname: Nickname?, hour: UInt32) {
        key = X25519.PrivateKey()
        let kemKey = KEM768.makeKey()
        kemSeed = kemKey.seed
        bundle = PrekeyBundle(
            of: owner,
            prekey: key.publicKey,
            kemPrekey: kemKey.publicKey,
            sequence: sequence,
            createdHour: hour,
            nickname: nickname
        )
        // One of 256 values maps to 5 hours. The bias does not matter for this purpose.
        let jitter = UInt32(randomBytes(1)[0]) % (2 * Self.rotationJitterHours + 1)
        rotatesAtHour = hour.addingClamped(Self.rotationHours - Self.rotationJitterHours + jitter)
    }

    /// Makes a prekey from its parts, as known-answer tests do.
    init(key: X25519.PrivateKey, kemSeed: SecretBytes, bundle: PrekeyBundle, rotatesAtHour: UInt32) {
        self.key = key
        self.kemSeed = kemSeed
        self.bundle = bundle
        self.rotatesAtHour = rotatesAtHour
    }

    /// Whether the prekey's time is over by the local clock.
    func isDeletable(atHour hour: UInt32) -> Bool {
        hour.subtractingClamped(bundle.createdHour) > Self.deletionHours
    }

    /// Encodes the prekey.
    ///
    /// Shape: version 1 (1) ‖ secret (32) ‖ KEM seed (64) ‖ rotation hour (4) ‖ bundle.
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(key.seed)
        writer.append(kemSeed)
        writer.append(integer: rotatesAtHour)
        writer.append(bundle.bytes)
        return writer.finish()
    }

    /// Reads the output of `encoded()`.
    init(decoding record: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == Self.version, let seed = reader.secret(32),
            let kemSeed = reader.secret(KEM768.seedByteCount), let rotatesAtHour = reader.integer(UInt32.self),
            let bytes = reader.bytes(reader.remainingCount)
        else { throw CryptoError(.malformed, "The record is not a prekey.") }
        let bundle = try PrekeyBundle(verifying: bytes)
        let key = X25519.PrivateKey(seed: seed)
        guard key.publicKey == bundle.prekey, try KEM768.key(seed: kemSeed).publicKey == bundle.kemPrekey else {
            throw CryptoError(.malformed, "The prekey does not fit its prekey bundle.")
        }
        self.init(key: key, kemSeed: kemSeed, bundle: bundle, rotatesAtHour: rotatesAtHour)
    }
}

extension PrekeyBundle {
    /// Reads the bundle that is stored with a prekey of this node.
    ///
    /// - Parameter record: the value of a record of kind `prekey`.
    /// - Throws: `malformed`, and the errors of ``init(verifying:)``.
    package init(ofPrekey record: SecretBytes) throws(CryptoError) {
        self = try Prekey(decoding: record).bundle
    }
}
