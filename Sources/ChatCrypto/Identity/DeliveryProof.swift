/// The proof that a message has arrived (delivery proof).
///
/// Only the recipient can make it, and every holder of the envelope can check it.
///
/// Shape: 16 bytes. Source: PROTOCOL §2.
public struct DeliveryProof: Hashable, Sendable {
    /// The bytes of the proof.
    ///
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    /// Makes a delivery proof from its bytes; any count but 16 is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == DeliveryProofHash.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Makes the delivery proof of the message under `messageKey`: the first half of `HMAC(mk, 03 ‖ hn)`.
    ///
    /// - Parameter headerNonce: random, so that no proof of an earlier message under the same key is valid for this
    ///   one, for example after the data directory was restored from an earlier copy.
    init(messageKey: SecretBytes, headerNonce: [UInt8]) {
        bytes = Array(HMACSHA256.code([3] + headerNonce, key: messageKey).prefix(DeliveryProofHash.byteCount))
    }

    /// The hash that the envelope contains.
    public var hash: [UInt8] { DeliveryProofHash.of(deliveryProof: bytes) }
}

/// The field of an envelope that identifies its delivery proof.
public enum DeliveryProofHash {
    /// Units: bytes of the hash and of its delivery proof.
    public static let byteCount = 16

    /// Computes the hash of a delivery proof: the first half of `H("earshot/v1/release", delivery proof)`.
    public static func of(deliveryProof: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(label: Label.release, deliveryProof).prefix(byteCount))
    }
}
