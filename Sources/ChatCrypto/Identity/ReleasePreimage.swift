/// The proof that a message has arrived: only its recipient can make it, and whoever holds the envelope can check it.
///
/// Shape: 16 bytes. Source: PROTOCOL §2.
public struct ReleasePreimage: Hashable, Sendable {
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    /// Makes a preimage from its bytes; any count but 16 is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == ReleaseHash.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The preimage of the message under `messageKey`: the first half of `HMAC(mk, 03 ‖ hn)`.
    ///
    /// - Parameter headerNonce: random, so that no release of an earlier message under the key counts for this one, as
    ///   after the restoration of an earlier copy of the home.
    init(messageKey: SecretBytes, headerNonce: [UInt8]) {
        bytes = Array(HMACSHA256.code([3] + headerNonce, key: messageKey).prefix(ReleaseHash.byteCount))
    }

    /// What stands in the envelope.
    public var hash: [UInt8] { ReleaseHash.of(preimage: bytes) }
}

/// The field of an envelope by which its preimage is recognised.
public enum ReleaseHash {
    /// Units: bytes of the hash and of its preimage.
    public static let byteCount = 16

    /// The hash of any preimage: the first half of `H("earshot/v1/release", preimage)`.
    public static func of(preimage: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(label: Label.release, preimage).prefix(byteCount))
    }
}
