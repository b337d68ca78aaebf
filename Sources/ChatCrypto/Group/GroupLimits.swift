/// The limits of group state and group work.
///
/// PROTOCOL §12 lists them.
public enum GroupLimits {
    /// Members of one group, including its owner.
    public static let maximumMembers = 128
    /// Operations in one log.
    public static let maximumOperations = 4_096
    /// Units: bytes of UTF-8 of a title.
    public static let maximumTitleByteCount = 128
    /// Groups and rooms of one node; every packet is tried with the keys of each.
    public static let maximumGroups = 256
    /// Header keys of past epochs, per group.
    public static let maximumPastEpochs = 64
    /// Messages under one sender key.
    public static let messagesPerSenderKey: UInt32 = 100
    /// Units: seconds for which this node uses one sender key of its own.
    public static let senderKeyLife: UInt32 = 86_400
    /// The last iteration of a sender key, which bounds the steps of its chain that one packet can cost.
    public static let maximumIteration: UInt32 = messagesPerSenderKey - 1
    /// Sender keys kept per member.
    ///
    /// A member makes one per day, per 100 messages and per start of the program. The key with the oldest last use is
    /// dropped first.
    public static let keysPerMember = 256
    /// Message keys of missing messages kept per member; those of the oldest sender keys are dropped first.
    public static let skippedPerMember = 2_000
    /// Used message keys kept under one sender key.
    ///
    /// They prove that a member sealed a second content under the same key.
    public static let usedKeysPerSenderKey = 64
    /// Units: seconds that used message keys are kept.
    public static let usedKeySeconds: UInt32 = 600
    /// Units: seconds that header keys of past epochs, sender keys and skipped keys are kept.
    public static let receiveOnlySeconds: UInt32 = 8 * 86_400
    /// Units: seconds after which the owner begins a new epoch.
    public static let epochLife: UInt32 = 7 * 86_400
    /// Messages under one header key after which the owner begins a new epoch.
    public static let messagesPerEpoch: UInt32 = 1 << 20
    /// Units: bytes of all items in the largest envelope.
    public static let maximumItemsByteCount = 16_198
    /// Units: bytes of one content in the largest envelope; the item begins with 2 bytes of length.
    public static let maximumContentByteCount = maximumItemsByteCount - 2
}
