import Bytes

/// The name of a sender key, bound to the group, the epoch it was made in, and the member who made it.
///
/// Shape: 16 bytes. Source: PROTOCOL §16.
public struct SenderKeyID: Hashable, Sendable, Comparable {
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    static let byteCount = 16

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The first half of `H("earshot/v1/kid", group ‖ epoch ‖ member ‖ signing key)`.
    init(group: GroupID, epoch: UInt32, member: PeerID, signingKey: [UInt8]) {
        let hash = SHA256.hash(
            label: Label.senderKeyID,
            group.bytes,
            epoch.bigEndianBytes,
            member.bytes,
            signingKey
        )
        bytes = Array(hash.prefix(Self.byteCount))
    }

    /// Orders by bytes, so that iteration can be made repeatable.
    public static func < (left: SenderKeyID, right: SenderKeyID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
