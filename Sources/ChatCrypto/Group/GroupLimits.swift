/// The limits of groups, of their state and their work.
///
/// PROTOCOL §12 lists them.
public enum GroupLimits {
    /// Members of one group, including its owner.
    public static let maximumMembers = 4_096
    /// The levels of the tree above its leaves.
    public static let maximumDepth = 12
    /// Changes in one operation.
    public static let maximumEdits = 64
    /// Units: bytes of one operation with its signature.
    public static let maximumOperationByteCount = 12_288
    /// The levels of the largest block of slots that one edit renews; such a block has 128 slots.
    public static let maximumBlockHeight = 7
    /// Handovers and takeovers of one group.
    ///
    /// Before each takeover the operation that named the successor is kept as well.
    public static let maximumTransfers = 256
    /// The newest operations, which are kept at any age.
    public static let minimumKeptOperations = 64
    /// Operations that are kept at most.
    public static let maximumKeptOperations = 1_024
    /// Units: bytes of the operations that are kept.
    public static let maximumKeptByteCount = 2 << 20
    /// Units: seconds after which the owner gives the members of a block fresh secrets.
    public static let renewalSeconds: UInt32 = 86_400
    /// Units: seconds that an operation is kept after it was applied.
    public static let keptSeconds: UInt32 = 8 * 86_400
    /// Units: seconds that the slot of a removed member stays empty.
    public static let emptySlotSeconds: UInt32 = 8 * 86_400
    /// The members that may propose changes.
    public static let maximumAdmins = 8
    /// Devices of one member, each with a chain of its own in each epoch.
    public static let maximumDevices = 5
    /// The last iteration of a chain.
    public static let maximumIteration: UInt32 = 1 << 20 - 1
    /// Missing messages before one that opens, which bounds the steps of a chain that one packet can cost.
    public static let maximumSkip: UInt32 = 2_000
    /// The same in an epoch that is over.
    public static let maximumPastSkip: UInt32 = 200
    /// Chains of a group in which positions far ahead are kept in memory, so that more packets cost few steps.
    public static let maximumAheadChains = 64
    /// Operations after which the owner steps the stored secret of a node, at the next turn of its page.
    public static let maximumStepsBehind: UInt32 = 128
    /// Message keys of missing messages kept per member; those of the oldest epochs are dropped first.
    public static let skippedPerMember = 2_000
    /// Used message keys kept in one chain.
    ///
    /// They prove that a member sealed a second message under the same key.
    public static let usedKeysPerChain = 64
    /// Units: bytes of a checkpoint, which holds the transfers, one operation and the members.
    public static let maximumCheckpointByteCount = 1 << 20
    /// Members that leave and that the owner has not removed yet.
    public static let maximumLeavers = 256
    /// Units: bytes of the items of one group message in the largest envelope.
    public static let maximumItemsByteCount = 16_198
    /// Members that confirm a message in a group that is larger than ``confirmingMembers``.
    public static let sampledMembers = 16
    /// The largest group in which each member confirms each message.
    public static let confirmingMembers = 32
    /// Units: bytes of UTF-8 of a title.
    public static let maximumTitleByteCount = 128
    /// Groups and rooms of one node; every packet is tried with the keys of each.
    public static let maximumGroups = 256
    /// Past epochs whose keys are kept, per group.
    public static let maximumPastEpochs = 64
    /// Units: seconds that used message keys are kept.
    public static let usedKeySeconds: UInt32 = 600
    /// Units: seconds that the keys of past epochs and of missing messages are kept.
    public static let receiveOnlySeconds: UInt32 = 8 * 86_400
    /// Messages of one epoch after which the owner begins a new one.
    public static let messagesPerEpoch: UInt32 = 1 << 20
    /// Units: bytes of one content in the largest envelope; the item begins with 2 bytes of length.
    public static let maximumContentByteCount = maximumItemsByteCount - 2
    /// Units: seconds that a run of a device's chain stands for.
    public static let runSeconds: UInt32 = 300
    /// The last run of a device in an epoch; its time is in the year 2129.
    public static let maximumRun: UInt32 = 1 << 24 - 1
    /// Secrets of the tree of a device's runs that are kept.
    public static let runNodesPerDevice = 512
    /// The newest runs of a device whose chains are kept.
    public static let runsPerDevice = 16
}
