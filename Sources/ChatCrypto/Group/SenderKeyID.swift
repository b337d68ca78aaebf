import Bytes

/// The name of a sender key.
///
/// It is bound to the group, to the epoch in which the key was made, and to the member that made it.
///
/// Shape: 16 bytes. Source: PROTOCOL §16.
public struct SenderKeyID: Hashable, Sendable, Comparable {
    /// The bytes of the ID.
    ///
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    static let byteCount = 16

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Makes the ID: the first half of `H("earshot/v1/kid", group ‖ epoch ‖ member ‖ signing key)`.
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
