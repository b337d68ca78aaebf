import Bytes

/// The time between two operations of a group, and the keys that hold in it.
///
/// Source: PROTOCOL §16.
struct GroupEpoch: Sendable {
    let number: UInt32
    /// Opens the headers of the epoch's messages, and by that tells them from everybody else's.
    let headerKey: SecretBytes
    /// Binds messages to the group, the epoch and all operations before: `H("earshot/v1/gad", group ‖ epoch ‖ hash)`.
    ///
    /// Shape: 32 bytes.
    let associatedData: [UInt8]
    /// The newest epoch up to this one that began with a fresh header key; sender keys older than that are void in it.
    let freshSince: UInt32
    /// Units: seconds since 1970 by one's own clock.
    let begunAt: UInt32
    /// When the next one began; nil while it has not.
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

    /// Binds a message to the group, the epoch and all operations before.
    static func associatedData(group: GroupID, epoch: UInt32, hash: [UInt8]) -> [UInt8] {
        SHA256.hash(label: Label.groupData, group.bytes, epoch.bigEndianBytes, hash)
    }

    /// The header key of an epoch that brings no fresh one: a newcomer cannot go back from it.
    func nextHeaderKey(of group: GroupID) -> SecretBytes {
        HKDF.derive(salt: group.bytes, inputKey: headerKey, info: Label.nextGroupHeaderKey, count: 32)
    }

    /// The hash by which an operation names a fresh header key, so that whoever passes it on cannot exchange it.
    static func hash(ofHeaderKey key: SecretBytes) -> [UInt8] {
        SHA256.hash(label: Label.groupHeaderKey, secret: key)
    }

    /// Whether no message of it can come any more.
    func isExpired(at now: UInt32) -> Bool {
        endedAt.map { now.subtractingClamped($0) > GroupLimits.receiveOnlySeconds } ?? false
    }
}
