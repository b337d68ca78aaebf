import Bytes

/// The time between two operations of a group, and the keys that are valid in it.
///
/// Source: PROTOCOL §16.
struct GroupEpoch: Sendable {
    let number: UInt32
    /// The key that opens the headers of the epoch's messages, and by that distinguishes them from all other messages.
    let headerKey: SecretBytes
    /// The bytes that bind messages to the group, the epoch and all earlier operations: `H("earshot/v1/gad", group ‖
    /// epoch ‖ hash)`.
    ///
    /// Shape: 32 bytes.
    let associatedData: [UInt8]
    /// The newest epoch up to this one that began with a fresh header key.
    ///
    /// Sender keys from before that epoch are void in this one.
    let freshSince: UInt32
    /// The start of the epoch.
    ///
    /// Units: seconds since 1970 by the local clock.
    let begunAt: UInt32
    /// The time at which the next epoch began; nil while this is the present one.
    var endedAt: UInt32?
    /// Messages sealed and opened since the program started; an estimate is enough.
    var messageCount: UInt32 = 0

    init(
        number: UInt32,
        group: GroupID,
        hash: [UInt8],
        headerKey: SecretBytes,
        freshSince: UInt32,
        begunAt: UInt32
    ) {
        self.number = number
        self.headerKey = headerKey
        associatedData = Self.associatedData(group: group, epoch: number, hash: hash)
        self.freshSince = freshSince
        self.begunAt = begunAt
    }

    /// Computes the associated data that binds a message to the group, the epoch and all earlier operations.
    static func associatedData(group: GroupID, epoch: UInt32, hash: [UInt8]) -> [UInt8] {
        SHA256.hash(label: Label.groupData, group.bytes, epoch.bigEndianBytes, hash)
    }

    /// Derives the header key of the next epoch, if that epoch brings no fresh one.
    ///
    /// A new member cannot compute the earlier key from it.
    func nextHeaderKey(of group: GroupID) -> SecretBytes {
        HKDF.derive(salt: group.bytes, inputKey: headerKey, info: Label.nextGroupHeaderKey, count: 32)
    }

    /// Computes the hash by which an operation names a fresh header key.
    ///
    /// A member that forwards the operation can therefore not exchange the key.
    static func hash(ofHeaderKey key: SecretBytes) -> [UInt8] {
        SHA256.hash(label: Label.groupHeaderKey, secret: key)
    }

    /// Whether no message of the epoch can arrive any more.
    func isExpired(at now: UInt32) -> Bool {
        endedAt.map { now.subtractingClamped($0) > GroupLimits.receiveOnlySeconds } ?? false
    }
}
