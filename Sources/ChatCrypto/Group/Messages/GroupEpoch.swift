import Bytes

/// The time between two operations of a group, and the keys that are valid in it.
///
/// Source: PROTOCOL §16.
struct GroupEpoch: Sendable {
    let number: UInt32
    /// The key that opens the headers of the epoch's messages, and by that distinguishes them from all other messages.
    let headerKey: SecretBytes
    /// The key of the notices, which any member can make.
    let noticeKey: SecretBytes
    /// The bytes that bind messages to the group, the epoch and all earlier operations.
    ///
    /// Shape: 32 bytes.
    let associatedData: [UInt8]
    /// The slots of the owner and the admins if only they write in the epoch; nil if all members do.
    let writers: Set<UInt16>?
    /// The start of the epoch.
    ///
    /// Units: seconds since 1970 by the local clock.
    let begunAt: UInt32
    /// The time at which the next epoch began; nil while this is the present one.
    var endedAt: UInt32?
    /// Messages sealed and opened since the program started; an estimate is enough.
    var messageCount: UInt32 = 0
    /// The chains that were not begun.
    private(set) var tree: ChainTree
    /// The chains of the members of which a message was sealed or opened.
    private(set) var senders: [UInt16: SlotChains] = [:]

    /// Begins the epoch of an operation.
    ///
    /// - Parameters:
    ///   - root: the secret of the root of the key tree in this epoch.
    ///   - state: the group after the operation.
    init(_ operation: GroupOperation, root: SecretBytes, state: LogState, wrap: KeyWrap, at now: UInt32) {
        let keys = Self.keys(hash: operation.hash, root: root)
        number = operation.epoch
        headerKey = keys.header
        noticeKey = keys.notice
        associatedData = Self.associatedData(
            group: operation.groupID,
            epoch: operation.epoch,
            hash: operation.hash
        )
        writers = state.writers
        begunAt = now
        tree = ChainTree(root: keys.chainRoot, depth: state.table.depth, epoch: operation.epoch, wrap: wrap)
    }

    /// The stored part of an epoch besides its chains.
    struct Keys: Sendable {
        let number: UInt32
        let headerKey: SecretBytes
        let noticeKey: SecretBytes
        let associatedData: [UInt8]
        let writers: Set<UInt16>?
        let begunAt: UInt32
        let endedAt: UInt32?
        let depth: Int
    }

    /// Restores a stored epoch.
    init(_ keys: Keys, tree: ChainTree, senders: [UInt16: SlotChains]) {
        number = keys.number
        headerKey = keys.headerKey
        noticeKey = keys.noticeKey
        associatedData = keys.associatedData
        writers = keys.writers
        begunAt = keys.begunAt
        endedAt = keys.endedAt
        self.tree = tree
        self.senders = senders
    }

    /// Computes the associated data that binds a message to the group, the epoch and all earlier operations.
    static func associatedData(group: GroupID, epoch: UInt32, hash: [UInt8]) -> [UInt8] {
        SHA256.hash(label: Label.groupData, group.bytes, epoch.bigEndianBytes, hash)
    }

    /// Derives the keys of an epoch.
    static func keys(
        hash: [UInt8],
        root: SecretBytes
    ) -> (header: SecretBytes, chainRoot: SecretBytes, notice: SecretBytes) {
        HKDF.derive3(salt: hash, inputKey: root, info: Label.groupEpoch)
    }

    /// Whether no message of the epoch can arrive any more.
    func isExpired(at now: UInt32) -> Bool {
        endedAt.map { now.subtractingClamped($0) > GroupLimits.receiveOnlySeconds } ?? false
    }

    // MARK: - Chains

    /// The number of missing messages before one that opens.
    var maximumSkip: UInt32 { endedAt == nil ? GroupLimits.maximumSkip : GroupLimits.maximumPastSkip }

    /// The chain of a device's run without a change; nil if its secrets are erased.
    func chain(_ slot: UInt16, _ device: UInt8, run: UInt32 = 0, wrap: KeyWrap) -> MessageChain? {
        chains(of: slot, wrap: wrap)?.chain(device, run: run, wrap: wrap)
    }

    /// The first run of a device that was not begun.
    func nextRun(_ slot: UInt16, _ device: UInt8) -> UInt32 { senders[slot]?.nextRun(of: device) ?? 0 }

    private func chains(of slot: UInt16, wrap: KeyWrap) -> SlotChains? {
        senders[slot]
            ?? tree.leaf(slot, epoch: number, wrap: wrap)
            .map { SlotChains(epoch: number, slot: slot, leaf: $0, wrap: wrap) }
    }

    /// Keeps a chain after its use, and answers the pages of the tree that changed, and those of a chain that is
    /// dropped.
    mutating func keep(
        _ chain: MessageChain,
        wrap: KeyWrap
    ) -> (tree: Set<UInt8>, dropped: [SlotChains.Page]) {
        let slot = chain.name.slot
        guard var sender = chains(of: slot, wrap: wrap) else { return ([], []) }
        let pages = senders[slot] == nil ? tree.take(slot, epoch: number, wrap: wrap) : []
        let dropped = sender.keep(chain, wrap: wrap)
        senders[slot] = sender
        return (pages, dropped)
    }

    /// Changes the chains of a member, and answers the pages of keys that changed.
    mutating func changeChains(of slot: UInt16, _ body: (inout SlotChains) -> Void) -> [SlotChains.Page] {
        guard var sender = senders.removeValue(forKey: slot) else { return [] }
        body(&sender)
        defer { senders[slot] = sender }
        return sender.takeChangedPages()
    }

    /// Erases the chains of a member whose messages are not opened any more.
    mutating func forget(_ slot: UInt16) { senders[slot] = nil }
}
