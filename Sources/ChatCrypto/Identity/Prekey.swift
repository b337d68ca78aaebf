/// One's own prekey: the secret, and the bundle that published its public side.
///
/// The whole bundle is kept because a first flight binds every byte of it. Source: PROTOCOL §6.
struct Prekey: Sendable {
    let key: X25519.PrivateKey
    let bundle: IdentityBundle
    /// Units: hours since 1970; when the next one is due.
    let rotatesAtHour: UInt32

    /// Units: hours until the next prekey, and how much that varies, so that nodes do not announce in step.
    static let rotationHours: UInt32 = 24
    static let rotationJitterHours: UInt32 = 2
    /// Units: hours after which the secret is deleted: validity, store-and-forward and clock skew.
    static let deletionHours: UInt32 = 15 * 24
    private static let version: UInt8 = 1

    /// Makes a new prekey.
    init(of owner: Identity, sequence: UInt32, nickname: Nickname?, hour: UInt32) {
        key = X25519.PrivateKey()
        bundle = IdentityBundle(
            of: owner,
            prekey: key.publicKey,
            sequence: sequence,
            createdHour: hour,
            nickname: nickname
        )
        // 256 choices over 5 hours: the bias is a joke beside the purpose.
        let jitter = UInt32(randomBytes(1)[0]) % (2 * Self.rotationJitterHours + 1)
        rotatesAtHour = hour.addingClamped(Self.rotationHours - Self.rotationJitterHours + jitter)
    }

    /// Puts a prekey together, as the known answers do.
    init(key: X25519.PrivateKey, bundle: IdentityBundle, rotatesAtHour: UInt32) {
        self.key = key
        self.bundle = bundle
        self.rotatesAtHour = rotatesAtHour
    }

    /// Whether its time is over by one's own clock.
    func isDeletable(atHour hour: UInt32) -> Bool {
        hour.subtractingClamped(bundle.createdHour) > Self.deletionHours
    }

    /// Shape: version 1 (1) ‖ secret (32) ‖ rotation hour (4) ‖ bundle.
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(key.seed)
        writer.append(integer: rotatesAtHour)
        writer.append(bundle.bytes)
        return writer.finish()
    }

    /// Reads what `encoded()` gave.
    init(decoding record: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == Self.version, let seed = reader.secret(32),
            let rotatesAtHour = reader.integer(UInt32.self), let bytes = reader.bytes(reader.remainingCount)
        else { throw CryptoError(.malformed, "The record is no prekey.") }
        let bundle = try IdentityBundle(verifying: bytes)
        let key = X25519.PrivateKey(seed: seed)
        guard key.publicKey == bundle.prekey else { throw CryptoError(.malformed, "The prekey is not its bundle's.") }
        self.init(key: key, bundle: bundle, rotatesAtHour: rotatesAtHour)
    }
}

extension IdentityBundle {
    /// The bundle that is kept with one's own prekey.
    ///
    /// - Parameter record: the value of a record of kind `prekey`.
    /// - Throws: `malformed`, or what a bundle is refused for.
    package init(ofPrekey record: SecretBytes) throws(CryptoError) {
        self = try Prekey(decoding: record).bundle
    }
}
