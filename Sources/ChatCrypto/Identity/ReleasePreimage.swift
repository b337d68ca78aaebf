/// The proof that a message has arrived (delivery proof).
///
/// Only the recipient can make it, and every holder of the envelope can check it.
///
/// Shape: 16 bytes. Source: PROTOCOL §2.
public struct ReleasePreimage: Hashable, Sendable {
    /// The bytes of the proof.
    ///
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    /// Makes a preimage from its bytes; any count but 16 is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == ReleaseHash.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Makes the preimage of the message under `messageKey`: the first half of `HMAC(mk, 03 ‖ hn)`.
    ///
    /// - Parameter headerNonce: random, so that no proof of an earlier message under the same key is valid for this
    ///   one, for example after the data directory was restored from an earlier copy.
    init(messageKey: SecretBytes, headerNonce: [UInt8]) {
        bytes = Array(HMACSHA256.code([3] + headerNonce, key: messageKey).prefix(ReleaseHash.byteCount))
    }

    /// The hash that the envelope contains.
    public var hash: [UInt8] { ReleaseHash.of(preimage: bytes) }
}

/// The field of an envelope that identifies its preimage.
public enum ReleaseHash {
    /// Units: bytes of the hash and of its preimage.
    public static let byteCount = 16

    /// Computes the hash of a preimage: the first half of `H("earshot/v1/release", preimage)`.
    public static func of(preimage: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(label: Label.release, preimage).prefix(byteCount))
    }
}
